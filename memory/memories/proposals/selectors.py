"""Reading proposals: those that were offered to a space that the caller reads."""

from __future__ import annotations

from uuid import UUID

from django.db.models import QuerySet

from memory.memories.proposals.models import Proposal, ProposalStatus
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import reading_scope
from workspaces.access.tenancy import refuse_absent


def access_proposal(caller: Caller, proposal_id: UUID, *, lock: bool = False) -> Proposal:
    """Return a proposal to a space that the caller reads; `lock` keeps it until the end of the caller's open scope.

    Raises NotFoundError, and OtherSpaceError where a lock is wanted and the caller writes into another space.
    """
    caller.require(Right.READ)
    with reading_scope(caller):
        found = Proposal.objects.of(caller).filter(pk=proposal_id)
        proposal = (found.select_for_update() if lock else found).first()
        return proposal or refuse_absent(found, lock=lock)


def proposals_in_status(caller: Caller, status: str = "") -> QuerySet[Proposal]:
    """Return the proposals to the spaces that the caller reads, of every status if it is empty, for an open scope."""
    found = Proposal.objects.of(caller)
    return found.filter(status=status) if status else found


def count_pending(caller: Caller, *, most: int) -> int:
    """Return the number of pending proposals to the spaces that the caller reads; counting stops beyond `most`."""
    with reading_scope(caller):
        return proposals_in_status(caller, ProposalStatus.PENDING)[: most + 1].count()
