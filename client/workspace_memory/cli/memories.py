"""`wsm remember`, `promote`, `pin`, `forget` and their opposites; `wsm memory search` and `propose`."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import click

from workspace_memory.cli.command_base import as_json, connected, printed_json, spaces, yes
from workspace_memory.cli.conversations import memory
from workspace_memory.cli.output import shortened, show_found, show_one
from workspace_memory.cli.texts import text_argument
from workspace_memory.models import Found, Hit, Kind, Mode, StoredMemory
from workspace_memory.request_fields import Filters, MemoryFields
from workspace_memory.wire import given

VERBS = {
    "promote": ("Promoted", "Make a memory a fact, authoritative for every agent."),
    "demote": ("Demoted", "Make a fact a memory again."),
    "pin": ("Pinned", "Keep a memory on top; it never goes stale."),
    "unpin": ("Unpinned", "Let a memory age like any other."),
    "restore": ("Restored", "Undo forgetting."),
    "close": ("Closed", "Say that a memory is no longer true; it stays in history."),
    "reopen": ("Reopened", "Say that a closed or replaced memory is still true."),
}
# A day, or a time; without a zone, of this computer's.
MOMENT = click.DateTime(["%Y-%m-%d", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M:%S%z", "%Y-%m-%dT%H:%M:%S.%f%z"])
# What has an option of its own below, and what a person edits in the console.
NOT_TYPED = frozenset({"kind", "tags", "importance", "confidence", "source", "valid_from", "valid_to", "expires_at"})


def text_options(
    fields: type, *, without: frozenset[str] = NOT_TYPED
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Add an option for each text among `fields`, with what its annotation says of it as the help."""

    def add(command: Callable[..., None]) -> Callable[..., None]:
        for name, kind in reversed(get_type_hints(fields, include_extras=True).items()):
            if name not in without:
                told = get_args(kind)[1] if get_origin(kind) is Annotated else None
                command = click.option(f"--{name.replace('_', '-')}", name, help=told)(command)
        return command

    return add


@click.command()
@text_argument("content")
@click.option("--fact", is_flag=True, help="As a fact; needs the scope `facts`.")
@click.option("--tag", "tags", multiple=True, help="May be given several times.")
@click.option("--importance", type=click.FloatRange(0, 1))
@text_options(MemoryFields)
@click.option("--session", help="For this session alone.")
@spaces
@as_json
def remember(
    *,
    content: str,
    fact: bool,
    tags: tuple[str, ...],
    importance: float | None,
    session: str | None,
    as_json: bool,
    **texts: Any,
) -> None:
    """Remember CONTENT, or with `-` what standard input says. The same text again answers the memory that is there."""
    fields = MemoryFields(kind="fact" if fact else "memory", tags=tags)
    fields.update(given(importance=importance, **texts))  # type: ignore[typeddict-item]  # options of its fields
    with connected() as memory:
        written = (memory.session(session) if session else memory).write(content, **fields)
    print_memory(written, "Remembered", as_json)


@click.command()
@click.argument("id")
@click.option("--force", is_flag=True, help="Also when it is pinned; needs the scope `admin`.")
@yes
@spaces
@as_json
def forget(*, id: str, force: bool, yes: bool, as_json: bool) -> None:
    """Take the memory ID out of every recall; `wsm restore` undoes it."""
    with connected() as memory:
        if not yes:
            click.confirm(f"Forget “{shortened(memory.memories.get(id).content)}”?", abort=True, err=True)
        forgotten = memory.memories.forget(id, force=force)
    print_memory(forgotten, "Forgot", as_json)


def _standing(verb: str, did: str, told: str) -> click.Command:
    @click.command(verb, help=told)
    @click.argument("id")
    @spaces
    @as_json
    def command(id: str, as_json: bool) -> None:
        with connected() as memory:
            print_memory(getattr(memory.memories, verb)(id), did, as_json)

    return command


STANDINGS = [_standing(verb, did, told) for verb, (did, told) in VERBS.items()]


def print_memory(memory: StoredMemory, did: str, as_json: bool) -> None:
    """Print a memory with what was done to it, or all of it as JSON."""
    if as_json:
        printed_json(memory.model_dump(mode="json"))
    else:
        show_one(memory, did)


@memory.command()
@text_argument("query")
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
    """Search memories and facts for QUERY, or with `-` for standard input, by words and by meaning."""
    filters: Filters = {"tags": tags}
    if kinds:
        filters["kinds"] = kinds
    if as_of:
        filters["as_of"] = as_of.astimezone()
    if known_at:
        filters["known_at"] = known_at.astimezone()
    with connected() as client:
        where = client.session(session) if session else client
        found = where.search(query, limit=limit, mode=mode, **filters)
    if as_json:
        printed_json(_found_json(found))
    else:
        show_found(found)


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
