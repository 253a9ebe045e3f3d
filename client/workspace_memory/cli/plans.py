"""`wsm memory plan`, `iterations` and `briefing`: what an agent means to do in a session, and what it tried."""

from __future__ import annotations

import click

from workspace_memory.cli.command_base import as_json, connected, printed_json, spaces
from workspace_memory.cli.output import counted, shortened, table
from workspace_memory.plan_models import Iteration, Plan, TaskSummary


@click.command()
@click.argument("session")
@spaces
@as_json
def plan(session: str, as_json: bool) -> None:
    """Show the plan of a SESSION: goal, phase and steps."""
    with connected() as client:
        found = client.session(session).plan.get()
        if found is None:
            key = client.conversations.get(session).key  # an unknown session is reported as one
            raise click.ClickException(f"The session “{key}” has no plan.")
    if as_json:
        printed_json(found.model_dump(mode="json"))
    else:
        _show_plan(found)


@click.command()
@click.argument("session")
@click.argument("task", required=False)
@click.option("--limit", type=click.IntRange(1), default=50, show_default=True)
@spaces
@as_json
def iterations(session: str, task: str | None, limit: int, as_json: bool) -> None:
    """List the tasks of a SESSION that have attempts, or the attempts at one TASK, newest first."""
    with connected() as client:
        here = client.session(session)
        tasks = list(here.tasks(limit=limit)) if task is None else []
        tried = [] if task is None else list(here.iterations(task).list(limit=limit))
    if as_json:
        printed_json([one.model_dump(mode="json") for one in (tasks if task is None else tried)])
    elif task is None:
        _show_tasks(tasks)
    else:
        _show_attempts(tried)


@click.command()
@click.argument("session")
@click.argument("task")
@click.option("--tokens", type=click.IntRange(1), help="The maximum number of tokens.")
@spaces
@as_json
def briefing(session: str, task: str, tokens: int | None, as_json: bool) -> None:
    """Print what a sub-agent is given of a TASK of a SESSION: the plan, and the earlier attempts."""
    with connected() as client:
        found = client.session(session).iterations(task).briefing(token_budget=tokens)
    if as_json:
        printed_json(found.model_dump(mode="json"))
    else:
        click.echo(found.text)


def _show_plan(plan: Plan) -> None:
    click.echo(f"Goal: {shortened(plan.goal)}")
    if plan.phase:
        click.echo(f"Phase: {plan.phase}")
    click.echo(f"Version {plan.version}, {counted(plan.iteration_count, 'iteration')}")
    if plan.steps:
        rows = [(str(place), step.status, step.title, step.note or "") for place, step in enumerate(plan.steps, 1)]
        table(["step", "status", "title", "note"], rows, whole=["step", "status"])


def _show_tasks(tasks: list[TaskSummary]) -> None:
    rows = [(one.task_key, str(one.attempts), f"{one.last_attempt_at.astimezone():%Y-%m-%d %H:%M}") for one in tasks]
    table(["task", "attempts", "last attempt"], rows, whole=["attempts", "last attempt"])


def _show_attempts(attempts: list[Iteration]) -> None:
    heads = ["attempt", "action", "result", "error", "diagnosis", "fix"]
    rows = [
        (
            str(one.attempt),
            *(shortened(text or "") for text in (one.action, one.result, one.error, one.diagnosis, one.fix)),
        )
        for one in attempts
    ]
    table(heads, rows, whole=["attempt"])


def _texts(one: Iteration) -> tuple[str | None, ...]:
    return one.action, one.result, one.error, one.diagnosis, one.fix
