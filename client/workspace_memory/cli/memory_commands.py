"""`wsm memory list`, `get`, `edit`, `suppress` and `unsuppress`: memories and facts one by one."""

from __future__ import annotations

from datetime import datetime
from itertools import islice
from typing import Any, get_args

import click

from workspace_memory.cli.command_base import as_json, connected, printed_json, spaces
from workspace_memory.cli.conversations import memory
from workspace_memory.cli.memories import MOMENT, NOT_TYPED, print_memory, text_options
from workspace_memory.cli.output import marks, shortened, show_memories, table, visible
from workspace_memory.cli.texts import read_text
from workspace_memory.models import Kind, MemorySource, Revision, Source, StoredMemoryDetail
from workspace_memory.request_fields import Filters, MemoryChanges
from workspace_memory.wire import given

NONE = "none"


class OptionalMoment(click.ParamType):  # type: ignore[type-arg]  # generic in the newest click alone
    """A day or a time, or `none` to take one away."""

    name = "time|none"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> datetime | str:
        if value == NONE:
            return NONE
        moment = MOMENT.convert(value, param, ctx)
        assert isinstance(moment, datetime)  # noqa: S101  # what click.DateTime converts to
        return moment.astimezone()


@memory.command("list")
@click.option("--limit", type=click.IntRange(1), default=50, show_default=True)
@click.option("--kind", "kinds", type=click.Choice(get_args(Kind)), multiple=True)
@click.option("--tag", "tags", multiple=True, help="All of these.")
@click.option("--source", "sources", type=click.Choice(get_args(Source)), multiple=True, help="Who wrote it.")
@click.option("--pinned", is_flag=True, help="Only what is pinned.")
@click.option("--session", help="Only what was written for this session.")
@spaces
@as_json
def list_(
    *,
    limit: int,
    kinds: tuple[Kind, ...],
    tags: tuple[str, ...],
    sources: tuple[Source, ...],
    pinned: bool,
    session: str | None,
    as_json: bool,
) -> None:
    """List memories and facts, newest first. `wsm memory ls` lists sessions."""
    filters: Filters = {}
    if kinds:
        filters["kinds"] = kinds
    if tags:
        filters["tags"] = tags
    if sources:
        filters["sources"] = sources
    if pinned:
        filters["pinned"] = True
    if session and filters:
        raise click.UsageError("--session lists all that was written for it: give no other filter.")
    with connected() as client:
        listed = client.session(session).memories() if session else client.memories.list(**filters)
        found = list(islice(listed, limit))
    if as_json:
        printed_json([one.model_dump(mode="json") for one in found])
    elif found:
        show_memories(found)


@memory.command()
@click.argument("id")
@click.option("--history", is_flag=True, help="What happened to it as well, newest first.")
@spaces
@as_json
def get(*, id: str, history: bool, as_json: bool) -> None:
    """Show the memory ID: what it says, where it comes from, and what recall makes of it."""
    with connected() as client:
        found = client.memories.get(id)
        steps = list(client.memories.history(id)) if history else []
    if as_json:
        revisions = [step.model_dump(mode="json") for step in steps]
        printed_json({**found.model_dump(mode="json"), **({"history": revisions} if history else {})})
        return
    click.echo(visible(found.content))
    click.echo()
    table(["field", "value"], _fields(found), whole=["field"])
    if found.sources:
        click.echo()
        table(["said", "conversation", "quote"], map(_source, found.sources), whole=["said"])
    if steps:
        click.echo()
        table(["at", "what", "by", "before"], map(_step, steps), whole=["at", "what"])


@memory.command()
@click.argument("id")
@click.argument("content", callback=read_text, required=False)
@click.option("--tag", "tags", multiple=True, help="These tags instead; may be given several times.")
@click.option("--no-tags", is_flag=True, help="Take all tags away.")
@click.option("--importance", type=click.FloatRange(0, 1))
@click.option("--confidence", type=click.FloatRange(0, 1))
@click.option("--valid-from", type=OptionalMoment(), help="From when on it is true, such as 2026-03-04.")
@click.option("--valid-to", type=OptionalMoment(), help="Until when it was true.")
@click.option("--expires-at", type=OptionalMoment(), help="From when on it is not recalled any more.")
@text_options(MemoryChanges, without=NOT_TYPED | {"content"})
@spaces
@as_json
def edit(*, id: str, content: str | None, tags: tuple[str, ...], no_tags: bool, as_json: bool, **others: Any) -> None:
    """Change the memory ID: give new CONTENT (`-` reads standard input), or options for what else it has.

    With neither, the content opens in your editor.
    """
    if tags and no_tags:
        raise click.UsageError("Give --tag or --no-tags, not both.")
    changes = given(content=content, tags=[] if no_tags else tags or None, **others)
    changes = {name: None if value == NONE and name != "content" else value for name, value in changes.items()}
    with connected() as client:
        if not changes:
            changes = {"content": _edit_in_editor(client.memories.get(id).content)}
        edited = client.memories.edit(id, **changes)
    print_memory(edited, "Edited", as_json)


@memory.command()
@click.argument("id")
@click.option("--reason", default="", help="Why, for those who look at it later.")
@spaces
@as_json
def suppress(*, id: str, reason: str, as_json: bool) -> None:
    """Keep the memory ID from every agent until `unsuppress`; people still see it."""
    with connected() as client:
        print_memory(client.memories.suppress(id, reason=reason), "Suppressed", as_json)


@memory.command()
@click.argument("id")
@spaces
@as_json
def unsuppress(*, id: str, as_json: bool) -> None:
    """Let agents recall the memory ID again."""
    with connected() as client:
        print_memory(client.memories.unsuppress(id), "Unsuppressed", as_json)


def _edit_in_editor(content: str) -> str:
    """Return what the user made of the content. Raises Abort where that is nothing, or the same."""
    edited = (click.edit(content) or "").strip()
    if edited in {"", content.strip()}:
        click.echo("Nothing was changed.", err=True)
        raise click.Abort
    return edited


def _fields(found: StoredMemoryDetail) -> list[tuple[str, str]]:
    """Return the lines of the table: first what every memory has, then what this one has."""
    shown = {"valid_from", "valid_to", "expires_at", "last_referenced_at", "superseded_by", "suppressed_reason"}
    shown |= {"origin_space"}
    fields = {
        "id": found.id,
        "kind": marks(found),
        "written by": f"{found.author} ({found.source})",
        "created": f"{found.created_at.astimezone():%Y-%m-%d %H:%M}",
        "tags": ", ".join(found.tags),
        "importance": f"{found.importance:g}",
        "confidence": f"{found.confidence:g}",
        "weight": f"{found.weight:g}",
        "times referenced": str(found.times_referenced),
    }
    fields |= {name.replace("_", " "): str(value) for name in sorted(shown) if (value := getattr(found, name))}
    return [(name, value) for name, value in fields.items() if value]


def _source(source: MemorySource) -> tuple[str, str, str]:
    return f"{source.said_at.astimezone():%Y-%m-%d %H:%M}", source.conversation, source.quote or "(deleted)"


def _step(step: Revision) -> tuple[str, str, str, str]:
    before = ", ".join(f"{name}: {value}" for name, value in step.before.items() if value not in (None, "", []))
    return f"{step.at.astimezone():%Y-%m-%d %H:%M}", step.action, step.by, shortened(before)
