"""Proposing a memory of one space to another, and deciding about it: the original stays, the copy names it."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from core.clock import utc_now
from core.errors import ConflictError
from memory.memories.choices import Kind, Source
from memory.memories.proposals.models import Proposal, ProposalStatus
from memory.memories.proposals.selectors import access_proposal
from memory.memories.selectors import access_memory
from memory.memories.services.lifecycle import apply_transition, refuse_changed
from memory.memories.services.memory_writer import COPIED, CopyOrigin, NewMemory, field_value, remember
from memory.memories.services.proposal_withdrawals import PROPOSE, record_proposal_event
from memory.memories.services.revisions import record_revision
from memory.memories.services.signatures import WordsAuthor, find_words_author
from memory.memories.transitions import Verb
from memory.models import Memory
from workspaces.access.callers import Caller, Right, maintenance_caller
from workspaces.access.scope import workspace_scope
from workspaces.access.space_registry import enter_space, space_name
from workspaces.access.spaces import SHARED, NamedSpaces, SpaceName

DECISIONS = {
    ProposalStatus.ACCEPTED: "proposal.accepted",
    ProposalStatus.REJECTED: "proposal.rejected",
}


class NotProposableError(ConflictError):
    """A fact, and what is suppressed, forgotten, expired or in the space already, is not proposed."""

    code = "not_proposable"


class AlreadyDecidedError(ConflictError):
    """The proposal was decided before, and otherwise."""

    code = "already_decided"


@dataclass(frozen=True, slots=True)
class Proposed:
    """The pending proposal of a memory; `is_new` is False where it was proposed before."""

    proposal: Proposal
    is_new: bool


def propose_memory(*, caller: Caller, memory_id: UUID, space: SpaceName = SHARED, seen: str = "") -> Proposed:
    """Offer a memory of the space that the caller writes into to another that it may read, for people to decide.

    What the memory says now is handed over; `seen` is as in `apply_transition`. A pending proposal of it is answered as
    it is. Raises NotFoundError, TextChangedError, MissingScopeError without `write`, OtherSpaceError,
    SpaceNotAllowedError for a space outside of the caller's binding, and NotProposableError.
    """
    caller.require(Right.WRITE)
    receiver = caller.naming(NamedSpaces(space=str(space), shared=True))
    with workspace_scope(caller):
        _refuse_already_there(access_memory(caller, memory_id, with_forgotten=True), space)
        # The lock makes two proposals of the same memory wait for each other.
        memory = access_memory(caller, memory_id, lock=True, with_forgotten=True)
        _refuse_unfit(memory)
        refuse_changed(memory, seen=seen)
        origin_space, author = space_name(caller, memory.space_id), find_words_author(caller, memory)
        with workspace_scope(receiver):
            pending = Proposal.objects.in_written_space(receiver).filter(
                origin_id=memory_id, status=ProposalStatus.PENDING
            )
            if before := pending.first():
                return Proposed(before, is_new=False)
            enter_space(receiver)
            proposal = _insert(receiver, memory, origin_space, author)
            record_proposal_event(caller, "proposal.made", proposal)
        # Where it went is read from here again when the memory is forgotten.
        record_revision(caller=caller, memory_id=memory_id, action=PROPOSE, before={"space": str(space)})
    return Proposed(proposal, is_new=True)


def accept_proposal(*, caller: Caller, proposal_id: UUID, content: str | None = None) -> Proposal:
    """Copy what was proposed into the space that it was offered to, or link it to the live memory of the same text.

    `content` are other words, of the one who accepts. Accepting again changes nothing. Raises NotFoundError,
    OtherSpaceError, MissingScopeError without `facts`, AlreadyDecidedError, NotProposableError for what expired
    meanwhile, and what `remember` raises.
    """
    _require_rights(caller)
    with workspace_scope(caller):
        proposal = access_proposal(caller, proposal_id, lock=True)
        if not _is_open(proposal, ProposalStatus.ACCEPTED, is_edited=content is not None):
            return proposal
        if any(end and end <= utc_now() for end in (proposal.valid_to, proposal.expires_at)):
            raise NotProposableError("What was proposed is no longer valid. Reject it.")
        rewritten = content if content and content != proposal.content else ""
        kept = remember(caller=caller, new=_copy(caller, proposal, rewritten))
        if rewritten and kept.is_new and not caller.is_agent:
            Memory.objects.filter(pk=kept.memory.pk).update(edited_by=caller.label, edited_by_kind=caller.kind)
        return _decide(caller, proposal, ProposalStatus.ACCEPTED, memory_id=kept.memory.pk)


def reject_proposal(*, caller: Caller, proposal_id: UUID) -> Proposal:
    """Decide that what was proposed does not come into the space. Rejecting again changes nothing.

    Raises NotFoundError, OtherSpaceError, MissingScopeError without `facts`, AlreadyDecidedError.
    """
    _require_rights(caller)
    with workspace_scope(caller):
        proposal = access_proposal(caller, proposal_id, lock=True)
        if not _is_open(proposal, ProposalStatus.REJECTED):
            return proposal
        return _decide(caller, proposal, ProposalStatus.REJECTED)


def reopen_proposal(*, caller: Caller, proposal_id: UUID) -> Proposal:
    """Make a decided proposal wait again; the copy that accepting made is forgotten.

    Raises NotFoundError, OtherSpaceError, MissingScopeError without `facts`, and AlreadyDecidedError where the same
    memory was proposed again meanwhile.
    """
    _require_rights(caller)
    with workspace_scope(caller):
        proposal = access_proposal(caller, proposal_id, lock=True)
        if proposal.status == ProposalStatus.PENDING:
            return proposal
        waiting = Proposal.objects.in_written_space(caller).filter(
            origin_id=proposal.origin_id, status=ProposalStatus.PENDING
        )
        if waiting.exists():
            raise AlreadyDecidedError("It was proposed again meanwhile. Decide about that one.")
        copies = Memory.objects.in_written_space(caller).live().filter(pk=proposal.memory_id)
        if copy := copies.filter(origin_id=proposal.origin_id).first():
            apply_transition(caller=caller, memory_id=copy.pk, verb=Verb.FORGET)
        undone = {"status": ProposalStatus.PENDING, "decided_by": "", "decided_at": None, "memory_id": None}
        Proposal.objects.of(caller).filter(pk=proposal.pk).update(**undone)
        proposal.refresh_from_db()
        record_proposal_event(caller, "proposal.reopened", proposal)
    return proposal


def withdraw_proposal(*, caller: Caller, proposal_id: UUID) -> None:
    """Take a pending proposal back: a call for the space that it came from does, or one that may decide about it.

    Raises NotFoundError, OtherSpaceError, AlreadyDecidedError, MissingScopeError without `write`, or without `facts` in
    a call that is not for the space that it came from.
    """
    caller.require(Right.WRITE)
    with workspace_scope(caller):
        proposal = access_proposal(caller, proposal_id)
        is_of_origin = str(caller.reach.name) == proposal.origin_space
        if not is_of_origin:
            _require_rights(caller)
        receiver = caller.within(proposal.space_id) if is_of_origin else caller
        with workspace_scope(receiver):
            proposal = access_proposal(receiver, proposal_id, lock=True)
            if proposal.status != ProposalStatus.PENDING:
                raise AlreadyDecidedError(f"This was {proposal.status} already. What was decided is not withdrawn.")
            record_proposal_event(caller, "proposal.withdrawn", proposal)
            proposal.delete()


def delete_proposals_of_space(*, workspace_id: UUID, space: SpaceName) -> int:
    """Delete every proposal that came from a space, for erasing it; return their number.

    Copies that were accepted belong to the space that took them, and stay.
    """
    everywhere = maintenance_caller(workspace_id, "erasure")
    with workspace_scope(everywhere):
        return Proposal.objects.of(everywhere).filter(origin_space=str(space)).delete()[0]


def _require_rights(caller: Caller) -> None:
    """Raise MissingScopeError unless the caller may promote: what comes in is for everybody in the space."""
    caller.require(Right.WRITE)
    caller.require(Right.FACTS)


def _refuse_already_there(memory: Memory, space: SpaceName) -> None:
    if memory.space_id == SHARED.id:
        raise NotProposableError("This memory is in `shared` already, where every space reads it.")
    if memory.space_id == space.id:
        raise NotProposableError(f"This memory is in the space '{space}' already. Name another one.")


def _refuse_unfit(memory: Memory) -> None:
    now = utc_now()
    reasons = {
        "This memory is forgotten. Restore it first.": memory.node.is_deleted,
        "This memory is suppressed. Lift that first.": memory.is_suppressed,
        "This memory has expired. Edit its times first.": any(
            end and end <= now for end in (memory.node.expires_at, memory.node.valid_to)
        ),
        "This is a fact of its space. Demote it first: only a suggestion is proposed.": memory.kind == Kind.FACT,
    }
    if reason := next((text for text, is_so in reasons.items() if is_so), ""):
        raise NotProposableError(reason)


def _insert(receiver: Caller, memory: Memory, origin_space: SpaceName, author: WordsAuthor) -> Proposal:
    return Proposal.objects.create(
        workspace_id=receiver.workspace_id,
        space=str(receiver.reach.name),
        origin_id=memory.pk,
        origin_space=str(origin_space),
        source=memory.source,
        author=author.signature,
        author_id=author.id,
        author_kind=author.kind,
        proposed_by=receiver.signature,
        **{name: field_value(memory, name) for name in COPIED},
    )


def _is_open(proposal: Proposal, wanted: ProposalStatus, *, is_edited: bool = False) -> bool:
    """Return whether it is still to be decided; raise AlreadyDecidedError where it was decided otherwise."""
    if proposal.status == ProposalStatus.PENDING:
        return True
    if proposal.status != wanted or is_edited:
        raise AlreadyDecidedError(f"This proposal is {proposal.status} already, by {proposal.decided_by}.")
    return False


def _copy(caller: Caller, proposal: Proposal, rewritten: str) -> NewMemory:
    """Return the memory that a proposal becomes. An agent that rewrites it is the author, as in an edit."""
    source, author = Source(proposal.source), (proposal.author, proposal.author_id, proposal.author_kind)
    if rewritten and caller.is_agent:
        source = Source.AGENT if source == Source.USER else source
        author = (caller.signature, caller.id, caller.kind)
    said = {name: getattr(proposal, name) for name in COPIED} | ({"content": rewritten} if rewritten else {})
    origin = CopyOrigin(proposal.origin_id, proposal.origin_space, *author)
    return NewMemory(kind=Kind.MEMORY, source=source, origin=origin, **said)


def _decide(caller: Caller, proposal: Proposal, status: ProposalStatus, *, memory_id: UUID | None = None) -> Proposal:
    """Close a pending proposal, which the open scope holds locked."""
    decided = {"status": status, "decided_by": caller.signature, "decided_at": utc_now(), "memory_id": memory_id}
    Proposal.objects.of(caller).filter(pk=proposal.pk, status=ProposalStatus.PENDING).update(**decided)
    proposal.refresh_from_db()
    record_proposal_event(caller, DECISIONS[status], proposal)
    return proposal
