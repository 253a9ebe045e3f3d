"""`wsm memory`: sessions."""

from __future__ import annotations

from typing import Any

import click

from workspace_memory.cli.command_base import as_json, connected, printed_json, spaces, yes
from workspace_memory.cli.output import (
    show_conversation,
    show_conversations,
    show_memories,
)
from workspace_memory.cli.plans import briefing, iterations, plan


@click.group()
def memory() -> None:
    """Sessions (conversations) and what is remembered."""


@memory.command()
@click.option("--limit", type=click.IntRange(1), default=50, show_default=True)
@spaces
@as_json
def ls(limit: int, as_json: bool) -> None:
    """List sessions, newest first."""
    with connected() as client:
        found = list(client.conversations.list(most=limit))
    if as_json:
        printed_json([one.model_dump(mode="json") for one in found])
    else:
        show_conversations(found)


@memory.command()
@click.argument("session")
@click.option("--last", type=click.IntRange(1, 200), default=20, show_default=True, help="The number of messages.")
@spaces
@as_json
def show(session: str, last: int, as_json: bool) -> None:
    """Show a SESSION: its episodes, its last messages, and the memories written for it or extracted from it."""
    with connected() as client:
        messages = client.session(session).history.last(last)
        episodes = list(client.session(session).episodes())
        written = list(client.session(session).memories())
        extracted = list(client.memories.list(extracted_from=session))
    memories = sorted({one.id: one for one in [*written, *extracted]}.values(), key=lambda one: one.id, reverse=True)
    if as_json:
        parts: dict[str, Any] = {"messages": messages, "episodes": episodes, "memories": memories}
        printed_json({name: [one.model_dump(mode="json") for one in part] for name, part in parts.items()})
        return
    show_conversation(messages, episodes)
    if memories:
        click.echo()
        show_memories(memories)


@memory.command()
@click.argument("session")
@click.option("--extract", is_flag=True, help="Also look at what was passed over while memory was off.")
@yes
@spaces
@as_json
def end(session: str, extract: bool, yes: bool, as_json: bool) -> None:
    """End a SESSION: facts and preferences are looked for in it; its history stays readable."""
    with connected() as client:
        here = client.conversations.get(session)
        if not yes:
            click.confirm(f"End the session “{here.key}”?", abort=True, err=True)
        ended = client.session(session).end(extract=extract)
    if ended is None:
        raise click.ClickException(f"The session “{here.key}” was deleted meanwhile.")
    if as_json:
        printed_json(ended.model_dump(mode="json"))
    else:
        click.echo(f"Ended {ended.key}. {ended.detail}")


@memory.command()
@click.argument("session")
@yes
@spaces
@as_json
def rm(session: str, yes: bool, as_json: bool) -> None:
    """Delete a SESSION with its messages, episodes, plan, iteration logs and working set, for good. Memories stay."""
    with connected() as client:
        here = client.conversations.get(session)
        if not yes:
            click.confirm(f"Delete the session “{here.key}” for good?", abort=True, err=True)
        client.session(session).delete()
    if as_json:
        printed_json({"deleted": here.key})
    else:
        click.echo(f"Deleted {here.key}.")


memory.add_command(plan)
memory.add_command(iterations)
memory.add_command(briefing)
