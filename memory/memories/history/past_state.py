"""State of a memory at an earlier moment: its steps are undone, the newest first. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from workspaces.access.callers import KIND_NOTES, ActorKind

# What a step keeps under the name that the state has for it.
VALUES = frozenset({"content", "kind", "importance", "confidence", "manual_weight", "source", "author", "is_deleted"})
TIMES = frozenset({"valid_from", "valid_to", "expires_at"})


@dataclass(frozen=True, slots=True)
class PastStep:
    """One revision: what was done by whom and when, and the values that it replaced."""

    action: str
    actor_kind: str
    actor_label: str
    before: Mapping[str, Any]
    at: datetime
    id: UUID | None = None


@dataclass(frozen=True, slots=True)
class MemoryState:
    """What a memory said and counted for at one moment."""

    content: str
    kind: str
    tags: tuple[str, ...]
    importance: float
    confidence: float
    manual_weight: float
    source: str
    author: str
    author_kind: str
    edited_by: str = ""
    edited_by_kind: str = ""
    pinned_at: datetime | None = None
    pinned_by: str = ""
    suppressed_at: datetime | None = None
    suppressed_by: str = ""
    suppressed_reason: str = ""
    is_deleted: bool = False
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    expires_at: datetime | None = None

    @property
    def said(self) -> dict[str, Any]:
        """Return what a version consists of: all that is said, and neither its times nor its standing."""
        return {
            "content": self.content,
            "tags": list(self.tags),
            "importance": self.importance,
            "confidence": self.confidence,
        }


def rewind_state(now: MemoryState, steps: Sequence[PastStep], moment: datetime) -> MemoryState:
    """Return what a memory was at a moment, from what it is `now` and all of its steps, newest first.

    Before its first step it was what it was made as.
    """
    state = now
    for place, step in enumerate(steps):
        if step.at <= moment:
            break
        state = undo(state, step, steps[place + 1 :])
    return state


def past_states(now: MemoryState, steps: Sequence[PastStep]) -> Iterator[MemoryState]:
    """Return every state that a memory had, from `now` back to how it was made; steps are newest first."""
    yield now
    state = now
    for place, step in enumerate(steps):
        state = undo(state, step, steps[place + 1 :])
        yield state


def undo(state: MemoryState, step: PastStep, earlier: Sequence[PastStep]) -> MemoryState:
    """Return what a memory was before a step, of which `earlier` are the ones before it, newest first."""
    before = step.before
    changes: dict[str, Any] = {name: before[name] for name in VALUES if name in before}
    changes |= {name: _parse_time(before[name]) for name in TIMES if name in before}
    if "tags" in before:
        changes["tags"] = tuple(before["tags"] or ())
    if "author" in before:
        changes["author_kind"] = _kind_of_signature(str(before["author"]))
    if _signs(step):
        signed = next((each for each in earlier if _signs(each)), None)
        changes["edited_by"] = signed.actor_label if signed else ""
        changes["edited_by_kind"] = signed.actor_kind if signed else ""
    if "pinned" in before:
        changes["pinned_at"] = _since(before, earlier, "pinned") if before["pinned"] else None
        changes["pinned_by"] = str(before.get("pinned_by", "")) if before["pinned"] else ""
    if "suppressed" in before:
        was = bool(before["suppressed"])
        changes["suppressed_at"] = _since(before, earlier, "suppressed") if was else None
        changes["suppressed_by"] = str(before.get("suppressed_by", "")) if was else ""
        changes["suppressed_reason"] = str(before.get("suppressed_reason", "")) if was else ""
    return replace(state, **changes)


def _signs(step: PastStep) -> bool:
    """Return whether the actor of a step is the one who says the words since: it wrote them, or took them over."""
    return "content" in step.before or (step.action == "remember" and "source" in step.before)


def _since(before: Mapping[str, Any], earlier: Sequence[PastStep], name: str) -> datetime:
    """Return when what a step took back had begun; a time that no step tells is the beginning of all."""
    began = next((each.at for each in earlier if each.before.get(name) is False), None)
    return began or (earlier[-1].at if earlier else datetime.fromisoformat("1970-01-01T00:00:00+00:00"))


def _kind_of_signature(signature: str) -> str:
    noted = (kind for kind, note in KIND_NOTES.items() if signature.endswith(note))
    return next(noted, ActorKind.USER)


def _parse_time(stored: object) -> datetime | None:
    return datetime.fromisoformat(str(stored)) if stored else None
