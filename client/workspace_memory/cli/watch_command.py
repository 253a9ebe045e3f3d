"""`wsm watch`: reads and writes of the workspace as they happen."""

from __future__ import annotations

import json
from itertools import islice

import click

from workspace_memory.cli.command_base import as_json, connected, spaces
from workspace_memory.event_models import Event

LAYERS = (
    *("memories", "conversations", "episodes", "plans", "working_memory", "contexts", "runs", "ontology", "telemetry"),
    *("chat", "transfer", "workspace"),
)


@click.command()
@click.option("--verb", type=click.Choice(["read", "write", "remove"]), help="Only reads, writes or removals.")
@click.option("--layer", type=click.Choice(LAYERS), help="Only of one layer.")
@click.option("--actor", help="Only what this key, app or task does; its name, or an id.")
@click.option("--outcome", type=click.Choice(["success", "failure", "dead_end"]), help="Only with this outcome.")
@click.option("--after", default="", help="Begin behind the event with this id; 0 for all that are still there.")
@click.option("--most", type=click.IntRange(1), help="Stop after this number of events.")
@spaces
@as_json
def watch(most: int | None, after: str, as_json: bool, **narrow: str | None) -> None:
    """Print reads and writes as they happen, until Ctrl-C: who, what kind of thing, how long. Never what it says."""
    given = {name: value for name, value in narrow.items() if value is not None}
    with connected() as client:
        try:
            for event in islice(client.events(after=after, **given), most):  # type: ignore[arg-type]  # its own options
                click.echo(json.dumps(event.model_dump(mode="json")) if as_json else line_of(event))
        except KeyboardInterrupt:
            return


def line_of(event: Event) -> str:
    """An event in a line: the local time, who, what, of which layer, how many, and the milliseconds."""
    who = event.actor.name or event.actor.kind
    number = f" {event.count} {event.type}" if event.count and event.type else ""
    named = f" {event.ids[0]}" if len(event.ids) == 1 else ""
    took = "" if event.milliseconds is None else f"  {event.milliseconds:.0f} ms"
    failed = f"  {event.error_code or event.outcome}" if event.outcome != "success" else ""
    at = f"{event.at.astimezone():%H:%M:%S}"
    return f"{at}  {who:<20.20}  {event.verb:<6}  {event.layer}: {event.action}{number}{named}{failed}{took}"
