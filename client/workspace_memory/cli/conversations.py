"""`wsm memory`: sessions and searching."""

from __future__ import annotations

from datetime import datetime
from typing import Any, get_args

import click

from workspace_memory.cli.group import as_json, connected, printed_json, spaces, yes
from workspace_memory.cli.showing import (
    shortened,
    show_conversation,
    show_conversations,
    show_found,
    show_memories,
)
from workspace_memory.models import Found, Hit, Kind, Mode
from workspace_memory.shapes import Filters
from workspace_memory.wire import session_tag

# A day, or a time; without a zone, of this computer's.
MOMENT = click.DateTime(["%Y-%m-%d", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M:%S%z", "%Y-%m-%dT%H:%M:%S.%f%z"])


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
    """Show a SESSION: its episodes, its last messages, and the memories that were written for it."""
    with connected() as client:
        messages = client.session(session).history.last(last)
        episodes = list(client.session(session).episodes())
        memories = list(client.memories.list(tags=[session_tag(session)]))
    if as_json:
        parts: dict[str, Any] = {"messages": messages, "episodes": episodes, "memories": memories}
        printed_json({name: [one.model_dump(mode="json") for one in part] for name, part in parts.items()})
        return
    show_conversation(messages, episodes)
    if memories:
        click.echo()
        show_memories(memories)


@memory.command()
@click.argument("query")
@click.option("--limit", type=click.IntRange(1, 200), default=10, show_default=True)
@click.option("--mode", type=click.Choice(get_args(Mode)), default="hybrid", show_default=True)
@click.option("--kind", "kinds", type=click.Choice(get_args(Kind)), multiple=True)
@click.option("--tag", "tags", multiple=True, help="All of these.")
@click.option("--session", help="Only what was written for this session.")
@click.option("--as-of", type=MOMENT, help="What was true then, such as 2026-03-04.")
@click.option("--known-at", type=MOMENT, help="What was known then.")
@spaces
@as_json
def search(
    *,
    query: str,
    limit: int,
    mode: Mode,
    kinds: tuple[Kind, ...],
    tags: tuple[str, ...],
    session: str | None,
    as_of: datetime | None,
    known_at: datetime | None,
    as_json: bool,
) -> None:
    """Search memories and facts for QUERY, by words and by meaning."""
    filters: Filters = {"tags": [*tags, *([session_tag(session)] if session else [])]}
    if kinds:
        filters["kinds"] = kinds
    if as_of:
        filters["as_of"] = as_of.astimezone()
    if known_at:
        filters["known_at"] = known_at.astimezone()
    with connected() as client:
        found = client.search(query, limit=limit, mode=mode, **filters)
    if as_json:
        printed_json(_found_json(found))
    else:
        show_found(found)


@memory.command()
@click.argument("session")
@yes
@spaces
@as_json
def end(session: str, yes: bool, as_json: bool) -> None:
    """End a SESSION: facts and preferences are looked for in it; its history stays readable."""
    with connected() as client:
        here = client.conversations.get(session)
        if not yes:
            click.confirm(f"End the session “{here.key}”?", abort=True, err=True)
        ended = client.session(session).end()
    if as_json:
        printed_json(ended.model_dump(mode="json"))
    else:
        what = "Facts and preferences are being looked for." if ended.extracting else "Memory is off: nothing is kept."
        click.echo(f"Ended {ended.key}. {what}")


@memory.command()
@click.argument("session")
@yes
@spaces
@as_json
def rm(session: str, yes: bool, as_json: bool) -> None:
    """Delete a SESSION with its messages, episodes and working set, for good. Memories stay."""
    with connected() as client:
        here = client.conversations.get(session)
        if not yes:
            click.confirm(f"Delete the session “{here.key}” for good?", abort=True, err=True)
        client.session(session).delete()
    if as_json:
        printed_json({"deleted": here.key})
    else:
        click.echo(f"Deleted {here.key}.")


@memory.command()
@click.argument("id")
@click.option("--to", "target", default="shared", show_default=True, help="The space that it is offered to.")
@spaces
@as_json
def propose(id: str, target: str, as_json: bool) -> None:
    """Offer the memory ID to what is shared, where people decide; --user, --agent or --space say whose it is."""
    with connected() as client:
        proposed = client.memories.propose(id, space=target)
    if as_json:
        printed_json(proposed.model_dump(mode="json"))
    else:
        click.echo(f"Proposed to {proposed.space} as {proposed.id} ({proposed.status}): {shortened(proposed.content)}")


def _found_json(found: Found[Hit]) -> dict[str, Any]:
    results = [hit.model_dump(mode="json") for hit in found]
    return {"results": results, "method": found.method, "latency_ms": found.latency_ms}
