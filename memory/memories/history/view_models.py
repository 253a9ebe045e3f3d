"""View models of a memory's history: each step with what it changed, and the versions to which it can be taken back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from core.text import excerpt
from core.text.word_diff import compare_words
from memory.memories.forms import EditForm, MemoryListQuery
from memory.memories.history.past_state import MemoryState, PastStep, undo
from memory.memories.history.selectors import read_state, rewind_memories
from memory.memories.selectors import Moments
from memory.memories.services.memory_search import RankedMemory, SearchResult
from memory.memories.view_models import MAX_CHARACTERS_OF_BEFORE, MemoryRow, build_row, step_line
from memory.models import Kind, Memory, MemoryRevision
from workspaces.access.callers import Right
from workspaces.access.selectors import ConsoleContext
from workspaces.http.console_moments import MomentBar
from workspaces.http.version_lines import VersionLine

# Steps that make a memory, whose version is what it said first.
FIRST = frozenset({"remember", "accept"})


def differing_texts(now: Memory, mine: EditForm) -> list[dict[str, Any]]:
    """Return the fields in which two editors differ, as each of them has it."""
    theirs = EditForm.of(now)
    fields = [(bound, mine[bound.name]) for bound in theirs if bound.name in mine.changed_data]
    return [
        {"label": bound.label, "theirs": bound.value() or "", "mine": typed.value() or ""} for bound, typed in fields
    ]


def history_context(
    seat: ConsoleContext, memory: Memory, revisions: list[MemoryRevision], bar: MomentBar, *, most: int
) -> dict[str, Any]:
    """Return a memory with at most `most` of its newest `revisions`, as the template of its page has them, in an open
    scope; at another moment as it was then, which makes the instance say so."""
    moments = Moments(bar.as_of, bar.known_at)
    past = rewind_memories(seat.caller, [memory], moments)
    row = build_row(seat, memory)
    return {
        "bar": bar,
        "row": past_row(row, memory, past[memory.pk], bar) if past else row,
        "steps": version_lines(seat, memory, steps_until(revisions, moments), may_revert=not past)[:most],
        "has_more_steps": len(revisions) > most,
        "changed_by": revisions[0].actor_label if revisions else "",
    }


def steps_until(revisions: list[MemoryRevision], moments: Moments) -> list[MemoryRevision]:
    """Return the steps that were taken by a moment."""
    until = moments.until
    return [each for each in revisions if each.created_at <= until] if until else revisions


def version_lines(
    seat: ConsoleContext, memory: Memory, revisions: Sequence[MemoryRevision], *, may_revert: bool
) -> list[VersionLine]:
    """Return a memory's history, newest first, with what each step changed; `revisions` are its newest steps, up to
    the moment as of which it is shown."""
    may_revert = may_revert and _may_revert(seat, memory)
    steps = [
        PastStep(each.action, each.actor_kind, each.actor_label, each.before, each.created_at) for each in revisions
    ]
    now = state = read_state(memory)
    lines, is_newest_version = [], True
    for place, (step, revision) in enumerate(zip(steps, revisions, strict=True)):
        before = undo(state, step, steps[place + 1 :])
        is_version = not before.said.keys().isdisjoint(step.before) or step.action in FIRST
        lines.append(
            _version_line(
                revision,
                before,
                state,
                is_current=is_version and is_newest_version and len(revisions) > 1,
                version=revision.id if may_revert and is_version and state.said != now.said else None,
            )
        )
        is_newest_version = is_newest_version and not is_version
        state = before
    return lines


def _version_line(
    revision: MemoryRevision, before: MemoryState, after: MemoryState, *, is_current: bool, version: UUID | None
) -> VersionLine:
    parts = compare_words(before.content, after.content) if "content" in revision.before else []
    line = step_line(revision, without={"content"} if parts else ())
    is_first = version is not None and revision.action in FIRST
    text = excerpt(after.content, limit=MAX_CHARACTERS_OF_BEFORE) if is_first else line.text
    return VersionLine(
        line.title, text, line.icon, revision.created_at, revision.actor_label, parts, is_current, version
    )


def _may_revert(seat: ConsoleContext, memory: Memory) -> bool:
    if memory.node.is_deleted:
        return False
    return seat.caller.may(Right.FACTS if memory.kind == Kind.FACT else Right.WRITE)


def build_list_rows(
    seat: ConsoleContext, memories: Sequence[Memory], look: MemoryListQuery, current: Mapping[UUID, MemoryState]
) -> list[MemoryRow]:
    """Return the rows of a list, as `look` asks for them; `current` is what `rewind_memories` has returned."""
    return [_row_at_moment(seat, memory, look, current, None) for memory in memories]


def build_hit_rows(seat: ConsoleContext, found: SearchResult, look: MemoryListQuery) -> list[MemoryRow]:
    """Return the rows of a search, as `look` asks for them."""
    return [_row_at_moment(seat, hit.memory, look, found.current, hit) for hit in found.hits]


def _row_at_moment(
    seat: ConsoleContext,
    memory: Memory,
    look: MemoryListQuery,
    current: Mapping[UUID, MemoryState],
    hit: RankedMemory | None,
) -> MemoryRow:
    row = build_row(seat, memory, hit)
    return past_row(row, memory, current[memory.pk], look.bar) if look.bar.is_set else row


def past_row(row: MemoryRow, memory: Memory, now: MemoryState, bar: MomentBar) -> MemoryRow:
    """Return the row of a memory that is shown as it was (see `rewind_memories`), with what has changed since; nothing
    can be done to it there."""
    url = f"{row.urls['detail']}?{urlencode(bar.query)}"
    return replace(
        row,
        memory={**row.memory, "expired": False, "pending_embedding": False, "since": _changes_since(memory, now)},
        urls={"detail": url},
    )


def _changes_since(memory: Memory, now: MemoryState) -> list[str]:
    then = read_state(memory)
    changes = {
        "Edited": (then.content, then.tags) != (now.content, now.tags),
        "Promoted": (then.kind, now.kind) == (Kind.MEMORY, Kind.FACT),
        "Demoted": (then.kind, now.kind) == (Kind.FACT, Kind.MEMORY),
        "Pinned": bool(now.pinned_at and not then.pinned_at),
        "Unpinned": bool(then.pinned_at and not now.pinned_at),
        "Suppressed": bool(now.suppressed_at and not then.suppressed_at),
        "Unsuppressed": bool(then.suppressed_at and not now.suppressed_at),
        "Forgotten": now.is_deleted and not then.is_deleted,
    }
    return [f"{name} since" for name, is_so in changes.items() if is_so]
