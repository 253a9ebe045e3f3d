"""What an undo does with a thing by its history: remove it, revert it, or leave it, and why. Pure."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID


class UndoAct(StrEnum):
    """What was created is removed, what was changed is reverted."""

    REMOVE = "remove"
    REVERT = "revert"


@dataclass(frozen=True, slots=True)
class HistoryStep:
    """One step in the history of a thing. `is_own` says that it is among those that are undone; `is_ambiguous` that
    another run of the same author may have made it."""

    id: UUID
    action: str
    is_own: bool
    by: str = ""
    is_ambiguous: bool = False


@dataclass(frozen=True, slots=True)
class UndoDecision:
    """What becomes of a thing: `steps` are taken back where it is reverted; with a `reason` it stays as it is."""

    act: UndoAct
    steps: tuple[UUID, ...] = ()
    reason: str = ""
    by: str = ""


OTHER_RUN = "other_run"
CHANGED_SINCE = "changed_since"
GONE = "gone"
NEEDS_FACTS = "needs_facts"
PINNED = "pinned"
CONNECTED = "connected"
SAME_NAME = "same_name"
# What another actor did, as the reason for which a thing stays.
REASON_OF_ACTION = {
    "edit": "edited",
    "promote": "promoted",
    "demote": "demoted",
    "pin": "pinned",
    "unpin": "unpinned",
    "suppress": "suppressed",
    "unsuppress": "unsuppressed",
    "forget": "forgotten",
    "delete": "forgotten",
    "restore": "restored",
    "close": "closed",
    "reopen": "reopened",
    "weigh": "weighed",
    "keep": "reviewed",
    "keep_both": "reviewed",
    "remember": "restated",
    "accept": "restated",
    "repeat": "said_again",
    "propose": "proposed",
    "merge": "merged",
    "absorb": "merged",
    "undo_merge": "merged",
}


def decide(history: Sequence[HistoryStep], *, is_created: bool, invertible: Container[str]) -> UndoDecision | None:
    """Return what becomes of a thing with this history, the oldest step first; None where there is nothing to undo.

    A thing that was created by what is undone goes, unless another actor has touched it. One that was only changed gets
    back what it was before the first of these changes, unless another actor has touched it since.
    """
    own = [step for step in history if step.is_own and (is_created or step.action in invertible)]
    if not (own or is_created):
        return None
    first = own[0].id if own and not is_created else None
    others = [step for step in history if not step.is_own and (first is None or step.id > first)]
    act = UndoAct.REMOVE if is_created else UndoAct.REVERT
    steps = () if is_created else tuple(step.id for step in own)
    if any(step.is_ambiguous for step in own):
        return UndoDecision(act, steps, OTHER_RUN)
    if others:
        last = others[-1]
        return UndoDecision(act, steps, REASON_OF_ACTION.get(last.action, "changed"), last.by)
    return UndoDecision(act, steps)
