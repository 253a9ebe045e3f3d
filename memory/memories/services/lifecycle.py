"""Changing what a memory counts for: the verbs of the lifecycle, the weight, and the purge of what is stale."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from hashlib import sha256
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction

from core.clock import utc_now
from core.errors import ConflictError
from core.text import fingerprint
from core.text.validators import refuse_secret
from memory.memories.review.item_kinds import ReviewState
from memory.memories.review.services.fact_requests import ask_for_fact, is_of_session, may_promote
from memory.memories.review.services.quarantine import HELD_BY, PendingReviewError, hold_by_policy, is_rejection
from memory.memories.selectors import access_memory, cited_in_any_space, stale_memories
from memory.memories.services.corrected_statements import close_corrected_statements
from memory.memories.services.judgement_requests import request_judgement
from memory.memories.services.proposal_withdrawals import empty_rejected_proposals, withdraw_proposals
from memory.memories.services.revisions import record_revision, record_revisions, was_done_by_person
from memory.memories.services.statement_closings import lock_statements
from memory.memories.services.supersession import (
    CLOSINGS,
    close_by_hand,
    close_replaced,
    make_room,
    open_predecessors,
    reopen_row,
)
from memory.memories.transitions import Verb, needs_facts_right
from memory.memories.weights import adjust_manual_weight
from memory.models import ForgottenFingerprint, Kind, Memory, MemoryRevision
from ontology.nodes_and_edges.services.node_writer import change_node, change_nodes
from workspaces.access.callers import ActorKind, Caller, Right
from workspaces.access.scope import workspace_scope
from workspaces.http.idempotency import purge_responses

# Steps that make more of what a memory says, and so are taken for the text that was read.
FOR_THE_TEXT = frozenset({Verb.PROMOTE, Verb.PIN, Verb.UNSUPPRESS, Verb.RESTORE, Verb.REOPEN})
# Steps after which agents read, or obey, what waits for a person.
LETTING_OUT = frozenset({Verb.PROMOTE, Verb.UNSUPPRESS, Verb.PIN})
# Steps of people that an agent takes back with `facts` only.
UNDONE = {Verb.RESTORE: (Verb.FORGET,), Verb.REOPEN: CLOSINGS}


class DuplicateError(ConflictError):
    """Another live memory has the same text."""

    code = "duplicate"
    title = "Another live memory has the same text. Edit that one, or forget it first."


class TextChangedError(ConflictError):
    """The memory says something else, or of another time, than when it was read for this step."""

    code = "text_changed"
    title = "What it says has changed since it was shown here. Read it again, then decide."


class PinnedError(ConflictError):
    """A pinned memory is not forgotten by accident."""

    code = "pinned"
    title = "This memory is pinned. Unpin it first, or forget it with force as an admin."


def apply_transition(
    *, caller: Caller, memory_id: UUID, verb: Verb, reason: str = "", force: bool = False, seen: str = ""
) -> Memory:
    """Take one step of the lifecycle. A step that is already taken changes nothing and leaves no revision.

    `reason` is kept with a suppression; `force` lets an admin forget a pinned memory; `seen` is the `statement_hash`
    of what was shown, where something was. Raises NotFoundError, MissingScopeError, PinnedError,
    TextChangedError, SecretRefusedError, DuplicateError for a restore or reopening next to a live memory of the same
    text, PendingReviewError for letting out what waits for a person, and NeedsTwoPeopleError. Where facts need two
    people, promoting as the first of them is recorded, and changes nothing else.
    """
    caller.require(Right.WRITE)
    refuse_secret(reason, field="reason")
    with workspace_scope(caller):
        memory = access_memory(caller, memory_id, lock=True, with_forgotten=verb in {Verb.FORGET, Verb.RESTORE})
        if verb in FOR_THE_TEXT:
            refuse_changed(memory, seen=seen)
        is_pinned = memory.pinned_at is not None
        undoes_person = verb in UNDONE and was_done_by_person(caller, memory, UNDONE[verb])
        if undoes_person or needs_facts_right(verb, kind=memory.kind, is_pinned=is_pinned):
            caller.require(Right.FACTS)
        if verb == Verb.FORGET and not memory.node.is_deleted:
            _guard_pin(caller, memory, force=force)
        if verb in LETTING_OUT and (memory.is_pending or _is_held(memory)) and not caller.is_person:
            raise PendingReviewError()
        if verb == Verb.PROMOTE and memory.kind != Kind.FACT and not may_promote(caller=caller, memory=memory):
            ask_for_fact(caller=caller, memory=memory)
            return memory
        before = _TRANSITIONS[verb](caller, memory, reason)
        if before is not None:
            record_revision(caller=caller, memory_id=memory_id, action=verb, before=before)
        return access_memory(caller, memory_id, with_forgotten=True)


def statement_hash(memory: Memory) -> str:
    """Return the SHA-256 of what a memory says to the letter, and of which time."""
    node = memory.node
    parts = [memory.content, *(str(time) for time in (node.valid_from, node.valid_to, node.expires_at))]
    return sha256("\x1f".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def refuse_changed(memory: Memory, *, seen: str) -> None:
    """Raise TextChangedError where what was `seen` (a `statement_hash`) is not what the memory says."""
    if seen and seen != statement_hash(memory):
        raise TextChangedError()


def weigh_memory(*, caller: Caller, memory_id: UUID, delta: float, seen: int | None = None) -> Memory:
    """Move the manual weight by `delta`; see `adjust_manual_weight` for what `seen` does.

    Raises NotFoundError, MissingScopeError without `facts`: a key that may only write could put its own memories first.
    """
    caller.require(Right.WRITE)
    caller.require(Right.FACTS)
    with workspace_scope(caller):
        memory = access_memory(caller, memory_id, lock=True)
        weight = adjust_manual_weight(
            manual=memory.manual_weight, delta=delta, seen=seen, now=memory.independent_references
        )
        if weight != memory.manual_weight:
            Memory.objects.filter(pk=memory_id).update(manual_weight=weight)
            before = {"manual_weight": memory.manual_weight}
            record_revision(caller=caller, memory_id=memory_id, action="weigh", before=before)
        return access_memory(caller, memory_id)


def purge_stale(*, caller: Caller) -> list[Memory]:
    """Forget every stale memory and return which; each can be restored. Raises MissingScopeError without `admin`.

    What a run of any space has cited is in use and stays, though its counter, which others see, does not tell.
    """
    caller.require(Right.ADMIN)
    with workspace_scope(caller):
        found = list(stale_memories(caller).select_for_update(of=("self", "node"), no_key=True))
        used = cited_in_any_space(caller.workspace_id, [memory.pk for memory in found])
        stale = [memory for memory in found if memory.pk not in used]
        gone = set(_forget_all(caller, stale))
        _keep_restorable(caller, gone)
        record_revisions(
            caller=caller, memory_ids=gone, action=Verb.FORGET, before={"is_deleted": False, "reason": "stale"}
        )
    return [memory for memory in stale if memory.pk in gone]


def forget_memories(*, caller: Caller, memory_ids: Collection[UUID], reason: str) -> dict[UUID, UUID]:
    """Forget live memories at once, pinned ones too; return the step of each that was still there.

    Raises MissingScopeError without `write`, for a fact without `facts`, and for a pinned one without `admin`.
    """
    caller.require(Right.WRITE)
    with workspace_scope(caller):
        found = _lock_all(caller, memory_ids, is_deleted=False)
        if any(memory.kind == Kind.FACT for memory in found):
            caller.require(Right.FACTS)
        if any(memory.is_pinned for memory in found):
            caller.require(Right.ADMIN)
        before = {"is_deleted": False, "reason": reason}
        gone = _forget_all(caller, found)
        _keep_restorable(caller, gone)
        steps = record_revisions(caller=caller, memory_ids=gone, action=Verb.FORGET, before=before)
    return {step.memory_id: step.pk for step in steps}


def restore_memories(*, caller: Caller, memory_ids: Collection[UUID]) -> dict[UUID, UUID]:
    """Restore forgotten memories at once; return the step of each, without those whose text is live again elsewhere.

    Raises MissingScopeError without `write`, and without `facts` for a fact and for what a person forgot;
    DuplicateError where another process has just remembered the same text.
    """
    caller.require(Right.WRITE)
    with workspace_scope(caller):
        found = _lock_all(caller, memory_ids, is_deleted=True)
        if any(memory.kind == Kind.FACT for memory in found) or _was_any_forgotten_by_person(caller, found):
            caller.require(Right.FACTS)
        marks = _free_marks(caller, found)
        back = [memory for memory in found if memory.pk in marks]
        restored = change_nodes(
            caller=caller,
            node_ids=[memory.pk for memory in back],
            expected={"is_deleted": True},
            changes={"is_deleted": False, "deleted_at": None},
        )
        for memory in back:
            memory.node.is_deleted = False
            memory.live_fingerprint = None if memory.is_closed else marks[memory.pk]
            if _is_held(memory):
                memory.review = ReviewState.PENDING
        try:
            with transaction.atomic():
                Memory.objects.bulk_update(back, ["live_fingerprint", "review"])
        except IntegrityError as error:
            raise DuplicateError() from error
        left = ForgottenFingerprint.objects.in_written_space(caller)
        left.filter(fingerprint__in=[marks[memory.pk] for memory in back]).delete()
        for memory in back:
            close_replaced(caller=caller, memory=memory, is_restored=True)
        steps = record_revisions(caller=caller, memory_ids=restored, action=Verb.RESTORE, before={"is_deleted": True})
    return {step.memory_id: step.pk for step in steps}


def _is_held(memory: Memory) -> bool:
    """Return whether the policy holds it and no decision has ended that, so that it waits again once restored."""
    return memory.is_suppressed and memory.suppressed_by == HELD_BY


def _lock_all(caller: Caller, memory_ids: Collection[UUID], *, is_deleted: bool) -> list[Memory]:
    known = Memory.objects.in_written_space(caller).filter(pk__in=list(memory_ids), node__is_deleted=is_deleted)
    found = known.select_related("node").order_by("pk")
    return list(found.select_for_update(of=("self", "node"), no_key=True))


def _was_any_forgotten_by_person(caller: Caller, memories: Sequence[Memory]) -> bool:
    if caller.may(Right.FACTS):
        return False
    steps = MemoryRevision.objects.of(caller).filter(memory__in=memories, action=Verb.FORGET)
    last = steps.order_by("memory_id", "-id").distinct("memory_id").values_list("actor_kind", flat=True)
    return ActorKind.USER in last


def _free_marks(caller: Caller, memories: Sequence[Memory]) -> dict[UUID, str]:
    """Return the fingerprints of memories by id, without those that would be there twice."""
    marks = {memory.pk: _mark(caller, memory) for memory in memories}
    live = Memory.objects.in_written_space(caller).filter(live_fingerprint__in=set(marks.values()))
    taken = set(live.values_list("live_fingerprint", flat=True))
    free: dict[UUID, str] = {}
    for memory in memories:
        mark = marks[memory.pk]
        if memory.is_closed or mark not in taken:
            free[memory.pk] = mark
        if not memory.is_closed:
            taken.add(mark)
    return free


def _guard_pin(caller: Caller, memory: Memory, *, force: bool) -> None:
    if not memory.is_pinned:
        return
    if not force:
        raise PinnedError()
    caller.require(Right.ADMIN)


def _retype(old: Kind, new: Kind) -> Callable[[Caller, Memory, str], dict[str, Any] | None]:
    def transition(caller: Caller, memory: Memory, reason: str) -> dict[str, Any] | None:
        changed = change_node(
            caller=caller, node_id=memory.pk, expected={"type": old, "is_deleted": False}, changes={"type": new}
        )
        if changed and caller.is_person and not memory.is_pending:
            Memory.objects.filter(pk=memory.pk).update(review=ReviewState.DECIDED)
        if changed and new == Kind.FACT and not caller.is_person and not is_of_session(caller):
            # As if it had come in as a fact: two steps lead no further than one.
            hold_by_policy(caller=caller, memory=access_memory(caller, memory.pk))
        return {"kind": old} if changed else None

    return transition


def _pin(caller: Caller, memory: Memory, reason: str) -> dict[str, Any] | None:
    unpinned = Memory.objects.filter(pk=memory.pk, pinned_at=None)
    return {"pinned": False} if unpinned.update(pinned_at=utc_now(), pinned_by=caller.signature) else None


def _unpin(caller: Caller, memory: Memory, reason: str) -> dict[str, Any] | None:
    pinned = Memory.objects.pinned().filter(pk=memory.pk)
    return {"pinned": True, "pinned_by": memory.pinned_by} if pinned.update(pinned_at=None, pinned_by="") else None


def _suppress(caller: Caller, memory: Memory, reason: str) -> dict[str, Any] | None:
    if not change_node(
        caller=caller, node_id=memory.pk, expected={"suppressed_at": None}, changes={"suppressed_at": utc_now()}
    ):
        return None
    Memory.objects.filter(pk=memory.pk).update(suppressed_by=caller.signature, suppressed_reason=reason)
    withdraw_proposals(caller=caller, memory_ids=[memory.pk])
    purge_responses(caller=caller)  # an answer that is given once more would tell it
    return {"suppressed": False}


def _unsuppress(caller: Caller, memory: Memory, reason: str) -> dict[str, Any] | None:
    if not change_node(
        caller=caller, node_id=memory.pk, expected={"suppressed_at__isnull": False}, changes={"suppressed_at": None}
    ):
        return None
    Memory.objects.filter(pk=memory.pk).update(suppressed_by="", suppressed_reason="")
    if memory.is_pending:
        Memory.objects.filter(pk=memory.pk).update(review=ReviewState.DECIDED)
    held = access_memory(caller, memory.pk)
    # It was not there until now, neither for what it replaces nor for what replaces it.
    close_replaced(caller=caller, memory=held, is_restored=not memory.is_pending)
    close_corrected_statements(caller, held)
    if memory.is_pending:
        request_judgement(caller=caller, memory=held)
    return {"suppressed": True, "suppressed_by": memory.suppressed_by, "suppressed_reason": memory.suppressed_reason}


def _forget(caller: Caller, memory: Memory, reason: str) -> dict[str, Any] | None:
    if not _forget_all(caller, [memory]):
        return None
    if not is_rejection(caller=caller, memory=memory):
        _keep_restorable(caller, [memory.pk])
    return {"is_deleted": False}


def _keep_restorable(caller: Caller, memory_ids: Collection[UUID]) -> None:
    """Let forgotten memories wait no more: what was rejected in review is erased after a while, and these were not.

    What the policy holds waits again once it is restored.
    """
    waiting = Memory.objects.of(caller).filter(pk__in=memory_ids, review=ReviewState.PENDING)
    waiting.update(review=ReviewState.OPEN)


def _forget_all(caller: Caller, memories: Sequence[Memory]) -> list[UUID]:
    """Forget live memories and leave their fingerprints; return which were still there."""
    lock_statements(caller)  # before these rows change: a consolidation that closes statements by them waits for those
    gone = change_nodes(
        caller=caller,
        node_ids=[memory.pk for memory in memories],
        expected={"is_deleted": False},
        changes={"is_deleted": True, "deleted_at": utc_now()},
    )
    Memory.objects.of(caller).filter(pk__in=gone).update(live_fingerprint=None)
    withdraw_proposals(caller=caller, memory_ids=gone)
    empty_rejected_proposals(caller=caller, memory_ids=gone)
    open_predecessors(caller=caller, memory_ids=gone)
    there = set(gone)
    marks = {_mark(caller, memory) for memory in memories if memory.pk in there}
    ForgottenFingerprint.objects.bulk_create(
        [ForgottenFingerprint(workspace_id=caller.workspace_id, fingerprint=mark) for mark in sorted(marks)],
        ignore_conflicts=True,
    )
    return gone


def _restore(caller: Caller, memory: Memory, reason: str) -> dict[str, Any] | None:
    back = {"is_deleted": False, "deleted_at": None}
    if not change_node(caller=caller, node_id=memory.pk, expected={"is_deleted": True}, changes=back):
        return None
    mark = _mark(caller, memory)
    if not memory.is_closed:
        _take_fingerprint(caller, memory, mark)
    if _is_held(memory):
        Memory.objects.filter(pk=memory.pk).update(review=ReviewState.PENDING)
    ForgottenFingerprint.objects.in_written_space(caller).filter(fingerprint=mark).delete()
    close_replaced(caller=caller, memory=access_memory(caller, memory.pk), is_restored=True)
    return {"is_deleted": True}


def _take_fingerprint(caller: Caller, memory: Memory, mark: str) -> None:
    if not make_room(caller, memory, mark):
        raise DuplicateError()
    try:
        with transaction.atomic():
            Memory.objects.filter(pk=memory.pk).update(live_fingerprint=mark)
    except IntegrityError as error:
        raise DuplicateError() from error


def _close(caller: Caller, memory: Memory, reason: str) -> dict[str, Any] | None:
    return None if memory.is_closed else close_by_hand(caller, memory)


def _reopen(caller: Caller, memory: Memory, reason: str) -> dict[str, Any] | None:
    if not memory.is_closed:
        return None
    mark = _mark(caller, memory)
    _take_fingerprint(caller, memory, mark)
    return reopen_row(caller, memory, mark=mark)


def _mark(caller: Caller, memory: Memory) -> str:
    return fingerprint(workspace_id=caller.workspace_id, text=memory.content)


_TRANSITIONS: dict[Verb, Callable[[Caller, Memory, str], dict[str, Any] | None]] = {
    Verb.PROMOTE: _retype(Kind.MEMORY, Kind.FACT),
    Verb.DEMOTE: _retype(Kind.FACT, Kind.MEMORY),
    Verb.PIN: _pin,
    Verb.UNPIN: _unpin,
    Verb.SUPPRESS: _suppress,
    Verb.UNSUPPRESS: _unsuppress,
    Verb.FORGET: _forget,
    Verb.RESTORE: _restore,
    Verb.CLOSE: _close,
    Verb.REOPEN: _reopen,
}
