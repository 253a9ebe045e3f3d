"""State of a memory at an earlier moment: its steps are undone, the newest first. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from types import NoneType
from typing import Any
from uuid import UUID

from workspaces.access.callers import KIND_NOTES, MAX_SIGNATURE, ActorKind

# What a step keeps under the name that the state has for it.
VALUES = frozenset({"content", "kind", "importance", "confidence", "manual_weight", "source", "author", "is_deleted"})
TIMES = frozenset({"valid_from", "valid_to", "expires_at"})
# What a step keeps under a name; an import may bring anything.
SHAPES: Mapping[str, tuple[type, ...]] = {
    **dict.fromkeys(("content", "kind", "source", "author"), (str,)),
    **dict.fromkeys((*TIMES, "pinned_by", "suppressed_by", "suppressed_reason"), (str, NoneType)),
    **dict.fromkeys(("importance", "confidence", "manual_weight"), (int, float)),
    **dict.fromkeys(("is_deleted", "pinned", "suppressed"), (bool,)),
    "tags": (list, NoneType),
}
RATIOS = frozenset({"importance", "confidence"})  # 0 to 1, as their columns are
# What a step cannot do without.
NEEDED = {"weigh": "manual_weight"}
# Sources of words that are of no actor.
AUTOMATIC = frozenset({"extraction", "import"})
# Under which a step says whose words it has put back, where they are not those of its actor.
WORDS_OF = "words_of"


@dataclass(frozen=True, slots=True)
class TextSigner:
    """The actor that wrote the words which a memory has; both are '' where it is the author of the memory."""

    by: str
    by_kind: str


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


def find_unfit_value(action: str, before: Mapping[str, Any]) -> str:
    """Return a name under which a step does not keep what it has to, so that it cannot be read; '' where all fits."""
    if (needed := NEEDED.get(action)) and needed not in before:
        return needed
    known = (name for name in SHAPES if name in before)
    return next((name for name in known if not _fits(name, before[name])), "")


def _fits(name: str, value: object) -> bool:
    if not isinstance(value, SHAPES[name]) or isinstance(value, bool) != (bool in SHAPES[name]):
        return False
    if isinstance(value, list):
        return all(isinstance(each, str) for each in value)
    if name in RATIOS:
        return 0 <= value <= 1  # type: ignore[operator]  # its shape is that of a number
    return not (name in TIMES and value) or _is_time(str(value))


def _is_time(value: str) -> bool:
    try:
        return datetime.fromisoformat(value).tzinfo is not None
    except ValueError:
        return False


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
        signer = next((_signer(each) for each in earlier if _signs(each)), TextSigner("", ""))
        changes["edited_by"], changes["edited_by_kind"] = signer.by, signer.by_kind
    if "pinned" in before:
        changes["pinned_at"] = _since(before, earlier, "pinned") if before["pinned"] else None
        changes["pinned_by"] = str(before.get("pinned_by", "")) if before["pinned"] else ""
    if "suppressed" in before:
        was = bool(before["suppressed"])
        changes["suppressed_at"] = _since(before, earlier, "suppressed") if was else None
        changes["suppressed_by"] = str(before.get("suppressed_by", "")) if was else ""
        changes["suppressed_reason"] = str(before.get("suppressed_reason", "")) if was else ""
    return replace(state, **changes)


def find_signer(then: MemoryState) -> TextSigner:
    """Return who stands for words that are put back as they were: the actor that wrote them."""
    if then.edited_by_kind:
        signer = TextSigner(then.edited_by[:MAX_SIGNATURE], then.edited_by_kind)
    elif then.source in AUTOMATIC:
        return TextSigner("", "")
    else:
        signer = TextSigner(_without_note(then.author, then.author_kind), then.author_kind)
    is_known = signer.by_kind in set(ActorKind)  # an import may bring anything
    return signer if is_known else TextSigner("", "")


def _signs(step: PastStep) -> bool:
    """Return whether the actor of a step is the one who says the words since: it wrote them, or took them over."""
    return "content" in step.before or (step.action == "remember" and "source" in step.before)


def _signer(step: PastStep) -> TextSigner:
    returned = step.before.get(WORDS_OF)
    if isinstance(returned, Mapping):
        return TextSigner(str(returned.get("by", "")), str(returned.get("by_kind", "")))
    return TextSigner(step.actor_label, step.actor_kind)


def _since(before: Mapping[str, Any], earlier: Sequence[PastStep], name: str) -> datetime:
    """Return when what a step took back had begun; a time that no step tells is the beginning of all."""
    began = next((each.at for each in earlier if each.before.get(name) is False), None)
    return began or (earlier[-1].at if earlier else datetime.fromisoformat("1970-01-01T00:00:00+00:00"))


def _kind_of_signature(signature: str) -> str:
    noted = (kind for kind, note in KIND_NOTES.items() if signature.endswith(note))
    return next(noted, ActorKind.USER)


def _without_note(signature: str, kind: str) -> str:
    """Return the name in a signature. A person's has no note, and may end with the words of one."""
    notes = [note for each, note in KIND_NOTES.items() if each == kind]
    return signature.removesuffix(notes[0]) if notes else signature


def _parse_time(stored: object) -> datetime | None:
    return datetime.fromisoformat(str(stored)) if stored else None
