"""Verdicts about memories: suggestions, stale ones, and those that wait by policy. In the scope of the decision."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from core.clock import utc_now
from core.errors import FieldProblem, InvalidError
from memory.memories.history.selectors import find_signers
from memory.memories.review.item_kinds import ASK, ItemKey, ReviewState, VerdictKind
from memory.memories.review.judgement import Judgement, JudgementOutcome
from memory.memories.review.services.fact_requests import asking, may_promote, text_mark
from memory.memories.review.services.quarantine import PendingReviewError, hold_memory
from memory.memories.selectors import access_memory, is_recallable, memory_revisions
from memory.memories.services.lifecycle import TextChangedError, apply_transition, refuse_changed
from memory.memories.services.memory_writer import edit_memory
from memory.memories.services.revisions import record_revision
from memory.memories.services.supersession import close_row
from memory.memories.transitions import Verb
from memory.models import Kind, Memory, ReviewVerdict
from workspaces.access.callers import Caller

KEEP = "keep"


def decide(caller: Caller, item: ItemKey, judgement: Judgement) -> JudgementOutcome:
    """Carry out a verdict about a memory. What was pending is let out first, unless it is forgotten."""
    memory = access_memory(caller, item.id, lock=True)
    refuse_changed(memory, seen=judgement.seen)
    mark, before = text_mark(memory), {"review": memory.review, "kind": memory.kind}
    if memory.is_pending and not caller.is_person:
        raise PendingReviewError()
    if judgement.verdict == VerdictKind.FACT and not may_promote(caller=caller, memory=memory):
        # The verdict that is recorded now is the asking; there is one of each person.
        asking(caller, memory).filter(decided_by_id=caller.id).update(undone_at=utc_now())
        return JudgementOutcome(ASK, mark)
    if memory.is_pending and judgement.verdict not in {VerdictKind.FORGET, VerdictKind.EDIT}:
        memory = apply_transition(caller=caller, memory_id=memory.pk, verb=Verb.UNSUPPRESS)
    before |= _STEPS[judgement.verdict](caller, memory, judgement)
    if judgement.verdict != VerdictKind.FORGET:
        _set_review(memory, ReviewState.DECIDED)
    return JudgementOutcome(judgement.verdict, mark, before)


def undo(caller: Caller, verdict: ReviewVerdict) -> None:
    """Take a verdict about a memory back. What was pending is held again."""
    memory = access_memory(caller, verdict.item_id, lock=True, with_forgotten=True)
    before = verdict.before
    _UNDOING[VerdictKind(verdict.verdict)](caller, memory, before)
    if before["review"] == ReviewState.PENDING and verdict.verdict != VerdictKind.FORGET:
        hold_memory(caller=caller, memory=access_memory(caller, memory.pk))
        return
    _set_review(memory, before["review"])


def _set_review(memory: Memory, review: str) -> None:
    """Set where a memory stands, unless it waits: what the policy holds by now, this step of an agent as well as an
    edit since, ends with a person's decision alone."""
    Memory.objects.filter(pk=memory.pk).exclude(review=ReviewState.PENDING).update(review=review)


def _make_fact(caller: Caller, memory: Memory, judgement: Judgement) -> dict[str, Any]:
    apply_transition(caller=caller, memory_id=memory.pk, verb=Verb.PROMOTE)
    return {}


def _keep(caller: Caller, memory: Memory, judgement: Judgement) -> dict[str, Any]:
    if memory.kind == Kind.FACT:  # one that was pending
        apply_transition(caller=caller, memory_id=memory.pk, verb=Verb.DEMOTE)
    record_revision(caller=caller, memory_id=memory.pk, action=KEEP)
    return {}


def _edit(caller: Caller, memory: Memory, judgement: Judgement) -> dict[str, Any]:
    edited = edit_memory(caller=caller, memory_id=memory.pk, changes={"content": judgement.content})
    step = memory_revisions(caller, edited).filter(action="edit", before__has_key="content").first()
    if memory.is_pending:
        apply_transition(caller=caller, memory_id=memory.pk, verb=Verb.UNSUPPRESS)
    return {"revision": str(step.pk)} if step and edited.content != memory.content else {}


def _merge(caller: Caller, memory: Memory, judgement: Judgement) -> dict[str, Any]:
    """Close a memory that another one says as well: what cites it leads there."""
    other = access_memory(caller, judgement.into, lock=True) if judgement.into else memory
    if other.pk == memory.pk or not is_recallable(caller, other):
        problem = FieldProblem("into", "not_recallable", "Name another memory that agents can recall.")
        raise InvalidError(problems=(problem,))
    start = memory.node.valid_from or memory.node.created_at
    now = utc_now()
    close_row(caller, memory, other, max(now, start + timedelta(microseconds=1)), now)
    return {"into": str(other.pk)}


def _suppress(caller: Caller, memory: Memory, judgement: Judgement) -> dict[str, Any]:
    apply_transition(caller=caller, memory_id=memory.pk, verb=Verb.SUPPRESS, reason="Decided in review")
    return {}


def _forget(caller: Caller, memory: Memory, judgement: Judgement) -> dict[str, Any]:
    gone = apply_transition(caller=caller, memory_id=memory.pk, verb=Verb.FORGET)
    return {"is_rejected": gone.is_pending}


def _undo_fact(caller: Caller, memory: Memory, before: dict[str, Any]) -> None:
    if before["kind"] == Kind.MEMORY:
        apply_transition(caller=caller, memory_id=memory.pk, verb=Verb.DEMOTE)


def _undo_keep(caller: Caller, memory: Memory, before: dict[str, Any]) -> None:
    if before["kind"] == Kind.FACT:
        apply_transition(caller=caller, memory_id=memory.pk, verb=Verb.PROMOTE)


def _undo_edit(caller: Caller, memory: Memory, before: dict[str, Any]) -> None:
    if "revision" in before:
        step = memory_revisions(caller, memory).get(pk=before["revision"])
        # What was written since is another one's edit, which undoing this one would take back unseen.
        if memory_revisions(caller, memory).filter(pk__gt=step.pk, before__has_key="content").exists():
            raise TextChangedError(
                "Its text was edited again since this verdict. Read it, then edit it as it shall be."
            )
        signer = find_signers(caller, memory).get(step.pk)  # the words are not those of who takes a verdict back
        changes = {"content": step.before["content"]}
        edit_memory(caller=caller, memory_id=memory.pk, changes=changes, signer=signer)


def _undo_merge(caller: Caller, memory: Memory, before: dict[str, Any]) -> None:
    apply_transition(caller=caller, memory_id=memory.pk, verb=Verb.REOPEN)


def _undo_suppress(caller: Caller, memory: Memory, before: dict[str, Any]) -> None:
    if memory.is_pending:  # an agent has rewritten it since: other words, which wait for a decision of their own
        return
    apply_transition(caller=caller, memory_id=memory.pk, verb=Verb.UNSUPPRESS)


def _undo_forget(caller: Caller, memory: Memory, before: dict[str, Any]) -> None:
    apply_transition(caller=caller, memory_id=memory.pk, verb=Verb.RESTORE)


_STEPS = {
    VerdictKind.FACT: _make_fact,
    VerdictKind.KEEP: _keep,
    VerdictKind.EDIT: _edit,
    VerdictKind.MERGE: _merge,
    VerdictKind.SUPPRESS: _suppress,
    VerdictKind.FORGET: _forget,
}
_UNDOING = {
    VerdictKind.FACT: _undo_fact,
    VerdictKind.KEEP: _undo_keep,
    VerdictKind.EDIT: _undo_edit,
    VerdictKind.MERGE: _undo_merge,
    VerdictKind.SUPPRESS: _undo_suppress,
    VerdictKind.FORGET: _undo_forget,
}
