"""What the Review page shows: each proposal next to what its space already has, with what its reader may do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse

from core.text import fingerprint
from memory.memories.proposals.forms import AcceptForm
from memory.memories.proposals.models import Proposal
from memory.memories.selectors import find_duplicate, is_recallable
from memory.memories.services.memory_search import search_memories
from memory.memories.services.supersession import needs_person
from memory.memories.view_models import detail_url, text_lines
from memory.models import Memory
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope
from workspaces.access.selectors import ConsoleContext
from workspaces.access.spaces import NamedSpaces

MAX_NEAR = 3
# A search needs the beginning of a text, and not 16,000 characters of it.
MAX_QUERY_CHARACTERS = 1_000


@dataclass(frozen=True, slots=True)
class NearMemory:
    """A memory of the space that is like the proposal; `is_same` says that it has the same words, `is_revived` that
    accepting makes it recallable.

    No score: those of a search compare its hits with each other, and the best of a far-off lot has 1.
    """

    memory: Memory
    url: str
    is_same: bool = False
    is_revived: bool = False


@dataclass(frozen=True, slots=True)
class ProposalCard:
    """One proposal as `review/_card.html` shows it. Without the right to decide it has no addresses for that.

    A person withdraws what came out of a space that they have.
    """

    proposal: Proposal
    near: Sequence[NearMemory]
    form: AcceptForm
    accept_url: str = ""
    reject_url: str = ""
    withdraw_url: str = ""

    @property
    def texts(self) -> Sequence[dict[str, str]]:
        """What would come in with the words: who accepts has read all of it."""
        return text_lines(self.proposal)

    @property
    def is_same(self) -> bool:
        """Whether a memory of the space has exactly these words."""
        return any(each.is_same for each in self.near)

    @property
    def is_revived(self) -> bool:
        """Whether that one is not recalled now, and will be."""
        return any(each.is_revived for each in self.near)


def build_card(seat: ConsoleContext, proposal: Proposal, form: AcceptForm | None = None) -> ProposalCard:
    """Return a proposal next to the memories of its space that are most like it."""
    near, form = _near_memories(seat, proposal), form or AcceptForm.of(proposal)
    accept, reject, withdraw = (
        reverse(f"review-{name}", args=[seat.workspace.slug, proposal.pk]) for name in ("accept", "reject", "withdraw")
    )
    if not (seat.caller.may(Right.WRITE) and proposal.origin_space in map(str, seat.spaces)):
        withdraw = ""
    if not (seat.caller.may(Right.WRITE) and seat.caller.may(Right.FACTS)):
        accept = reject = ""
    return ProposalCard(proposal, near, form, accept, reject, withdraw)


def reviewing_caller(seat: ConsoleContext, proposal: Proposal) -> Caller:
    """Return the person as the caller who writes into the space of the proposal, and reads no other."""
    return seat.caller.naming(NamedSpaces(space=proposal.space)).within(proposal.space_id)


def _near_memories(seat: ConsoleContext, proposal: Proposal) -> list[NearMemory]:
    caller = reviewing_caller(seat, proposal)
    with workspace_scope(caller):
        same = find_duplicate(caller, fingerprint(workspace_id=caller.workspace_id, text=proposal.content))
        is_revived = same is not None and not needs_person(same) and not is_recallable(caller, same)
    found = search_memories(caller=caller, query=proposal.content[:MAX_QUERY_CHARACTERS], limit=MAX_NEAR)
    others = [
        NearMemory(hit.memory, detail_url(seat, hit.memory))
        for hit in found.hits
        if same is None or hit.memory.pk != same.pk
    ]
    if same is None:
        return others
    twin = NearMemory(same, detail_url(seat, same), is_same=True, is_revived=is_revived)
    return [twin, *others][:MAX_NEAR]
