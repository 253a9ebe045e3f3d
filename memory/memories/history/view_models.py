"""View models of a memory's history: each step with what it changed, and the versions to which it can be taken back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from core.text.word_diff import DiffPart, compare_words
from memory.memories.history.past_state import MemoryState, PastStep, undo
from memory.memories.history.selectors import read_state
from memory.memories.view_models import step_line
from memory.models import Kind, Memory, MemoryRevision
from workspaces.access.callers import Right
from workspaces.access.selectors import ConsoleContext

# Steps that make a memory, whose version is what it said first.
FIRST = frozenset({"remember", "accept"})


@dataclass(frozen=True, slots=True)
class VersionLine:
    """One step as `parts/version_row.html` shows it: `parts` compare the texts before and after, `version` is the step
    to which the memory can be taken back."""

    title: str
    text: str
    icon: str
    at: datetime
    who: str
    parts: Sequence[DiffPart] = ()
    is_current: bool = False
    version: UUID | None = None


def version_lines(seat: ConsoleContext, memory: Memory, revisions: Sequence[MemoryRevision]) -> list[VersionLine]:
    """Return a memory's history, newest first, with what each step changed; `revisions` are its newest steps."""
    may_revert = _may_revert(seat, memory)
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
    return VersionLine(
        line.title, line.text, line.icon, revision.created_at, revision.actor_label, parts, is_current, version
    )


def _may_revert(seat: ConsoleContext, memory: Memory) -> bool:
    if memory.node.is_deleted:
        return False
    return seat.caller.may(Right.FACTS if memory.kind == Kind.FACT else Right.WRITE)
