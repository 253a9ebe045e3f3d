"""Deciding about items of the review queue, and taking a verdict back."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

from core.clock import utc_now
from core.errors import ConflictError, FieldProblem, InvalidError
from memory.memories.review.item_kinds import ASK, MEMORY_KINDS, VERDICTS, ItemKey, ItemKind, VerdictKind
from memory.memories.review.judgement import Judgement, JudgementOutcome
from memory.memories.review.selectors import access_verdict
from memory.memories.review.services import memory_verdicts, pair_verdicts, proposal_verdicts
from memory.models import ReviewVerdict
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope


class VerdictUndoneError(ConflictError):
    """A verdict is taken back once."""

    code = "verdict_undone"
    title = "This verdict was taken back already."


def decide_item(*, caller: Caller, item: ItemKey, judgement: Judgement) -> ReviewVerdict:
    """Carry out a verdict about an item, and record who gave it, for which text.

    Raises MissingScopeError without `write` and `facts`, NotFoundError, InvalidError for a verdict that the kind does
    not take, and what its steps raise: TextChangedError, PinnedError, PendingReviewError, AlreadyDecidedError, …
    """
    caller.require(Right.WRITE)
    caller.require(Right.FACTS)
    _refuse_unfit(item, judgement)
    with workspace_scope(caller):
        outcome = _decider(item.kind)(caller, item, judgement)
        verdict: ReviewVerdict = ReviewVerdict.objects.create(
            workspace_id=caller.workspace_id,
            kind=item.kind,
            item_id=item.id,
            verdict=outcome.verdict,
            mark=outcome.mark,
            before=outcome.before,
            decided_by=caller.signature,
            decided_by_id=caller.id,
            decided_by_kind=caller.kind,
        )
    return verdict


def undo_verdict(*, caller: Caller, verdict_id: UUID) -> ReviewVerdict:
    """Take back what a verdict did; the item waits again.

    Raises MissingScopeError without `write` and `facts`, NotFoundError, VerdictUndoneError, and what the steps back
    raise, such as DuplicateError.
    """
    caller.require(Right.WRITE)
    caller.require(Right.FACTS)
    with workspace_scope(caller):
        verdict = access_verdict(caller, verdict_id, lock=True)
        if verdict.undone_at is not None:
            raise VerdictUndoneError()
        if verdict.verdict != ASK:
            _undoer(ItemKind(verdict.kind))(caller, verdict)
        verdict.undone_at = utc_now()
        verdict.save(update_fields=["undone_at"])
    return verdict


def _refuse_unfit(item: ItemKey, judgement: Judgement) -> None:
    allowed = VERDICTS[item.kind]
    if judgement.verdict not in allowed:
        words = ", ".join(allowed)
        problem = FieldProblem("verdict", "not_of_kind", f"An item of the kind {item.kind} takes: {words}.")
        raise InvalidError(problems=(problem,))
    if judgement.verdict == VerdictKind.EDIT and not judgement.content:
        raise InvalidError(problems=(FieldProblem("content", "required", "Give the words to keep."),))
    if judgement.verdict == VerdictKind.MERGE and item.kind in MEMORY_KINDS and judgement.into is None:
        raise InvalidError(problems=(FieldProblem("into", "required", "Name the memory that says the same."),))


def _decider(kind: ItemKind) -> Callable[[Caller, ItemKey, Judgement], JudgementOutcome]:
    return memory_verdicts.decide if kind in MEMORY_KINDS else _DECIDERS[kind]


def _undoer(kind: ItemKind) -> Callable[[Caller, ReviewVerdict], None]:
    return memory_verdicts.undo if kind in MEMORY_KINDS else _UNDOERS[kind]


_DECIDERS: dict[ItemKind, Callable[[Caller, ItemKey, Judgement], JudgementOutcome]] = {
    ItemKind.PROPOSAL: proposal_verdicts.decide,
    ItemKind.CONTRADICTION: pair_verdicts.decide_contradiction,
    ItemKind.PATTERN: pair_verdicts.decide_pattern,
    ItemKind.MERGE: pair_verdicts.decide_merge,
}
_UNDOERS: dict[ItemKind, Callable[[Caller, ReviewVerdict], None]] = {
    ItemKind.PROPOSAL: proposal_verdicts.undo,
    ItemKind.CONTRADICTION: pair_verdicts.undo_contradiction,
    ItemKind.PATTERN: pair_verdicts.undo_pattern,
    ItemKind.MERGE: pair_verdicts.undo_merging,
}
