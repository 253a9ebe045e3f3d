"""Proposals of memories that are taken out of recall: they are withdrawn, and the audit log says so."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from memory.memories.proposals.models import Proposal, ProposalStatus
from memory.models import MemoryRevision
from workspaces.access.audit import record_event
from workspaces.access.callers import Caller
from workspaces.access.scope import workspace_scope
from workspaces.access.spaces import parse_space
from workspaces.http.idempotency import purge_responses

# The action of the revision that a memory gets when it is proposed.
PROPOSE = "propose"


def withdraw_proposals(*, caller: Caller, memory_ids: Collection[UUID]) -> None:
    """Delete the pending proposals of memories that are taken out of recall, in the caller's open scope."""
    for receiver in _receivers(caller, memory_ids):
        with workspace_scope(receiver):
            pending = Proposal.objects.in_written_space(receiver).filter(
                origin_id__in=memory_ids, status=ProposalStatus.PENDING
            )
            for proposal in pending.select_for_update().order_by("pk"):
                record_proposal_event(caller, "proposal.withdrawn", proposal)
                proposal.delete()
            purge_responses(caller=receiver)


def empty_rejected_proposals(*, caller: Caller, memory_ids: Collection[UUID]) -> None:
    """Empty the text of rejected proposals of forgotten memories, which others read, in the caller's open scope."""
    for receiver in _receivers(caller, memory_ids):
        with workspace_scope(receiver):
            rejected = Proposal.objects.in_written_space(receiver).filter(
                origin_id__in=memory_ids, status=ProposalStatus.REJECTED
            )
            rejected.update(content="")


def _receivers(caller: Caller, memory_ids: Collection[UUID]) -> list[Caller]:
    """Return the caller in each space that the memories were offered to."""
    steps = MemoryRevision.objects.of(caller).filter(memory_id__in=memory_ids, action=PROPOSE)
    names = sorted(set(map(str, steps.values_list("before__space", flat=True))))
    return [caller.within(parse_space(name).id) for name in names]


def record_proposal_event(caller: Caller, action: str, proposal: Proposal) -> None:
    """Enter a step of a proposal into the audit log."""
    details = {"origin": str(proposal.origin_id), "from": proposal.origin_space, "to": proposal.space}
    if proposal.memory_id:
        details["memory"] = str(proposal.memory_id)
    record_event(caller=caller, action=action, object_type="proposal", object_id=proposal.pk, details=details)
