"""Memories that wait for a person by the policy of their workspace: kept from everything that recalls until then.

A pending memory is suppressed as well, so that each way of reading which leaves out suppressed memories leaves it out.
"""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from core.clock import utc_now
from core.errors import ConflictError
from memory.memories.choices import Source
from memory.memories.review.item_kinds import ReviewState
from memory.memories.review.services.fact_requests import is_of_session
from memory.memories.services.revisions import record_revision
from memory.memories.transitions import Verb
from memory.models import Memory, MemoryRevision
from ontology.nodes_and_edges.services.node_writer import change_node
from workspaces.access.callers import KIND_NOTES, Caller, Right
from workspaces.access.selectors import current_workspace
from workspaces.settings.review_policy import ReviewPolicy
from workspaces.settings.workspace_settings import review_policy

HOLD, LET_OUT = "hold", "unsuppress"
HELD_BY, WAITS = "Review policy", "Waits for review"


class PendingReviewError(ConflictError):
    """What waits by policy is let out by people."""

    code = "pending_review"
    title = "This memory waits for review. A person decides about it in the console, under Review."


def note_arrival(*, caller: Caller, memory: Memory, is_decided: bool) -> bool:
    """Hold a memory that came in, or got another text, where the policy says so; return whether it is held.

    Otherwise it is open for review, unless it `is_decided`: stated, edited or accepted by a person. In an open scope.
    What is written for one conversation goes with it, and is not reviewed.
    """
    return bool(note_arrivals(caller=caller, memories=[memory], is_decided=is_decided))


def note_arrivals(*, caller: Caller, memories: Sequence[Memory], is_decided: bool) -> set[UUID]:
    """Do the same for many that came in together; return the ids of those that are held."""
    if is_of_session(caller):
        return set()
    policy = review_policy(current_workspace(caller))
    held = {memory.pk for memory in memories if _needs_person(policy, caller, memory)}
    for memory in memories:
        if memory.pk in held:
            hold_memory(caller=caller, memory=memory)
    state = ReviewState.DECIDED if is_decided else ReviewState.OPEN
    others = [memory.pk for memory in memories if memory.pk not in held and memory.review != state]
    if others:
        Memory.objects.filter(pk__in=others).update(review=state)
    return held


def hold_by_policy(*, caller: Caller, memory: Memory) -> bool:
    """Hold a memory where the policy says so; return whether it did. In an open scope, not for one of a session."""
    if not _needs_person(review_policy(current_workspace(caller)), caller, memory):
        return False
    hold_memory(caller=caller, memory=memory)
    return True


def hold_memory(*, caller: Caller, memory: Memory) -> None:
    """Keep a memory from everything that recalls until a person has decided; in an open scope."""
    change_node(
        caller=caller, node_id=memory.pk, expected={"suppressed_at": None}, changes={"suppressed_at": utc_now()}
    )
    held = {"review": ReviewState.PENDING, "suppressed_by": HELD_BY, "suppressed_reason": WAITS}
    Memory.objects.filter(pk=memory.pk).update(**held)
    record_revision(caller=caller, memory_id=memory.pk, action=HOLD, before={"suppressed": memory.is_suppressed})


def is_rejection(*, caller: Caller, memory: Memory) -> bool:
    """Return whether forgetting the memory now rejects it, so that its fingerprint alone is left after a while.

    A person rejects what has waited since it came in, and was never let out. Of any other there was something before,
    which an agent could have deleted for good by rewriting it. In an open scope.
    """
    if not (memory.is_pending and caller.is_person):
        return False
    steps = MemoryRevision.objects.of(caller).filter(memory=memory).order_by("id")
    behind_first = list(steps.values_list("action", flat=True)[1:3])
    # What is held for becoming a fact was there before, and its step to a fact is recorded behind the hold.
    is_held_at_once = behind_first[:1] == [HOLD] and Verb.PROMOTE not in behind_first
    return is_held_at_once and not steps.filter(action=LET_OUT).exists()


def _needs_person(policy: ReviewPolicy, caller: Caller, memory: Memory) -> bool:
    return any(
        policy.needs_person(source=source, kind=memory.kind, confidence=memory.confidence)
        for source in _policy_sources(caller, memory)
    )


def _policy_sources(caller: Caller, memory: Memory) -> set[str]:
    """Return the sources by which the policy judges a memory: the recorded one, and `agent` for the words of agents.

    An agent may state that it imported or extracted something, and may rewrite what was, or make a fact of what another
    one stated so: none is a way around a rule about agents. One with `admin` is believed, since it may import, and
    could change the policy.
    """
    is_of_agent = caller.is_agent and memory.author_kind in KIND_NOTES and not caller.may(Right.ADMIN)
    return {memory.source, *([Source.AGENT] if is_of_agent else [])}
