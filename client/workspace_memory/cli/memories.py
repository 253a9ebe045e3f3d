"""`wsm remember`, `promote`, `pin`, `forget` and their opposites."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import click

from workspace_memory.cli.group import as_json, connected, printed_json, spaces, yes
from workspace_memory.cli.showing import shortened, show_one
from workspace_memory.models import StoredMemory
from workspace_memory.shapes import MemoryFields
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
# What has an option of its own below, and what a person edits in the console.
NOT_TYPED = frozenset({"kind", "tags", "importance", "confidence", "source", "valid_from", "valid_to", "expires_at"})


def text_options(fields: type) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Add an option for each text among `fields`, with what its annotation says of it as the help."""

    def add(command: Callable[..., None]) -> Callable[..., None]:
        for name, kind in reversed(get_type_hints(fields, include_extras=True).items()):
            if name not in NOT_TYPED:
                told = get_args(kind)[1] if get_origin(kind) is Annotated else None
                command = click.option(f"--{name.replace('_', '-')}", name, help=told)(command)
        return command

    return add


@click.command()
@click.argument("content")
@click.option("--fact", is_flag=True, help="As a fact; needs the scope `facts`.")
@click.option("--tag", "tags", multiple=True, help="May be given several times.")
@click.option("--importance", type=click.FloatRange(0, 1))
@text_options(MemoryFields)
@click.option("--session", help="For this session.")
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
    """Remember CONTENT. The same text again answers the memory that is there."""
    fields = MemoryFields(kind="fact" if fact else "memory", tags=tags)
    fields.update(given(importance=importance, **texts))  # type: ignore[typeddict-item]  # options of its fields
    with connected() as memory:
        written = (memory.session(session) if session else memory).write(content, **fields)
    _say(written, "Remembered", as_json)


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
    _say(forgotten, "Forgot", as_json)


def _standing(verb: str, did: str, told: str) -> click.Command:
    @click.command(verb, help=told)
    @click.argument("id")
    @spaces
    @as_json
    def command(id: str, as_json: bool) -> None:
        with connected() as memory:
            _say(getattr(memory.memories, verb)(id), did, as_json)

    return command


STANDINGS = [_standing(verb, did, told) for verb, (did, told) in VERBS.items()]


def _say(memory: StoredMemory, did: str, as_json: bool) -> None:
    if as_json:
        printed_json(memory.model_dump(mode="json"))
    else:
        show_one(memory, did)
