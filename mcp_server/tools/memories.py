"""Tools for memories and facts: remember, recall, and what governs them."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from pydantic import Field

from core.action_types import MEMORIES, MEMORY_SEARCH
from core.http.field_types import Id
from mcp_server.arguments import omit, pick
from mcp_server.registry import reads, removes, writes
from mcp_server.results import result_text
from mcp_server.schemas import Limit
from memory.memories.history.selectors import rewind_memories
from memory.memories.proposals.schemas import ProposalInput, ProposalResponse, WithdrawnResponse
from memory.memories.proposals.services import propose_memory, withdraw_proposal
from memory.memories.schemas import (
    MemoriesResponse,
    MemoryEditInput,
    MemoryFilters,
    MemoryInput,
    MemoryResponse,
    MemorySearchInput,
    RememberedResponse,
    SuppressInput,
)
from memory.memories.selectors import LEARNED, MemoryFilter, access_memory, memories_matching, recallable_nodes
from memory.memories.services import memory_writer
from memory.memories.services.lifecycle import apply_transition
from memory.memories.services.memory_search import search_memories
from memory.memories.transitions import Verb
from memory.models import Source
from memory.recall.layers.base import ContextRequest
from memory.recall.schemas import MemoryRecallResponse
from memory.recall.services.cross_layer_search import find_related
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope
from workspaces.access.spaces import parse_space

MemoryId = Annotated[Id, Field(description="The id of a memory or fact, as recall answers it.")]
ProposalId = Annotated[Id, Field(description="The id of a proposal, as memory_propose answers it.")]
# What an agent corrects is the text; how much it matters and until when was said when it was remembered.
Corrections = Annotated[MemoryEditInput, pick("content")]


@writes("memory.remember", "Remember", is_idempotent=True, action=MEMORIES, text=result_text.render_kept_memory)
def remember(
    caller: Caller, *, body: Annotated[MemoryInput, omit("source", "valid_from", "valid_to")]
) -> RememberedResponse:
    """Keep something worth knowing in later conversations: a preference, a decision, a fact about people or things.
    Use it when the user says so or when you learn what will matter again. The same content twice is kept once."""
    remembered = memory_writer.remember(caller=caller, new=body.new_memory(Source.AGENT))
    return RememberedResponse.of(remembered)


@reads("memory.recall", "Recall", action=MEMORY_SEARCH, text=result_text.render_recall)
def recall(
    caller: Caller,
    *,
    body: Annotated[MemorySearchInput, pick("query", "limit", "mode", "tags", "kinds", "as_of", "known_at")],
) -> MemoryRecallResponse:
    """Find memories and facts by words and by meaning, and what was said earlier that bears on the query. Use it before
    you answer anything that may depend on what was learned earlier. Cite what you use by its mark, [mem:<id>]."""
    narrow = MemoryFilter(**body.filter_values())
    found = search_memories(caller=caller, query=body.query, mode=body.mode, limit=body.limit, narrow=narrow)
    wanted = ContextRequest(query=body.query, moments=narrow.moments)
    is_narrowed = bool(body.tags or body.kinds or body.mode != "hybrid")  # which only memories can be
    related = () if is_narrowed else find_related(caller=caller, wanted=wanted, found=found, limit=body.limit)
    return MemoryRecallResponse.of_found(found, related)


@reads("memory.get", "Read a memory", action=MEMORIES, text=result_text.render_memory)
def get(caller: Caller, *, memory_id: MemoryId) -> MemoryResponse:
    """Read one memory by its id. A forgotten one is still answered, with is_deleted."""
    return MemoryResponse.of(access_memory(caller, memory_id, with_forgotten=True))


@reads("memory.list", "List memories", action=MEMORIES, text=result_text.render_memories)
def list_(
    caller: Caller,
    *,
    limit: Limit = 50,
    body: Annotated[MemoryFilters, pick("pinned", "kinds", "tags", "as_of", "known_at")],
) -> MemoriesResponse:
    """The newest memories and facts, without a query. Prefer memory_recall when you look for something."""
    caller.require(Right.READ)
    narrow = MemoryFilter(**body.given())
    with workspace_scope(caller):
        matching = memories_matching(caller, narrow)
        found = list(matching.filter(node__in=recallable_nodes(caller, narrow)).order_by(f"-{LEARNED}", "-pk")[:limit])
        rewind_memories(caller, found, narrow.moments)
        return MemoriesResponse(results=[MemoryResponse.of(memory) for memory in found])


@writes("memory.edit", "Correct a memory", is_idempotent=True, action=MEMORIES, text=result_text.render_memory)
def edit(caller: Caller, *, memory_id: MemoryId, body: Corrections) -> MemoryResponse:
    """Replace the content of a memory that turned out wrong or out of date. Its history keeps what it said before."""
    edited = memory_writer.edit_memory(caller=caller, memory_id=memory_id, changes=body.given())
    return MemoryResponse.of(edited)


@writes("memory.promote", "Promote to a fact", is_idempotent=True, action=MEMORIES, text=result_text.render_memory)
def promote(caller: Caller, *, memory_id: MemoryId) -> MemoryResponse:
    """Make a memory a fact, which every later context holds. Only when a person asks; needs the scope `facts`."""
    return _apply_verb(caller, memory_id, Verb.PROMOTE)


@writes("memory.demote", "Demote to a memory", is_idempotent=True, action=MEMORIES, text=result_text.render_memory)
def demote(caller: Caller, *, memory_id: MemoryId) -> MemoryResponse:
    """Make a fact a memory again: a suggestion among others."""
    return _apply_verb(caller, memory_id, Verb.DEMOTE)


@writes("memory.pin", "Pin a memory", is_idempotent=True, action=MEMORIES, text=result_text.render_memory)
def pin(caller: Caller, *, memory_id: MemoryId) -> MemoryResponse:
    """Protect a memory from being forgotten and put it first on its page. Needs the scope `facts`."""
    return _apply_verb(caller, memory_id, Verb.PIN)


@writes("memory.unpin", "Unpin a memory", is_idempotent=True, action=MEMORIES, text=result_text.render_memory)
def unpin(caller: Caller, *, memory_id: MemoryId) -> MemoryResponse:
    """Take a memory's pin away, so that it can be forgotten again. Needs the scope `facts`."""
    return _apply_verb(caller, memory_id, Verb.UNPIN)


@removes("memory.suppress", "Suppress a memory", action=MEMORIES, text=result_text.render_memory)
def suppress(caller: Caller, *, memory_id: MemoryId, body: SuppressInput) -> MemoryResponse:
    """Keep a memory out of every recall without forgetting it, for example while it is in doubt."""
    return _apply_verb(caller, memory_id, Verb.SUPPRESS, body.reason)


@writes("memory.unsuppress", "Lift a suppression", is_idempotent=True, action=MEMORIES, text=result_text.render_memory)
def unsuppress(caller: Caller, *, memory_id: MemoryId) -> MemoryResponse:
    """Let a suppressed memory be recalled again. Needs the scope `facts`."""
    return _apply_verb(caller, memory_id, Verb.UNSUPPRESS)


@removes("memory.forget", "Forget a memory", action=MEMORIES, text=result_text.render_forgotten_memory)
def forget(caller: Caller, *, memory_id: MemoryId) -> MemoryResponse:
    """Forget a memory: no recall finds it, and no import brings it back. A pinned one is refused."""
    return _apply_verb(caller, memory_id, Verb.FORGET)


@writes("memory.restore", "Restore a memory", is_idempotent=True, action=MEMORIES, text=result_text.render_memory)
def restore(caller: Caller, *, memory_id: MemoryId) -> MemoryResponse:
    """Bring a forgotten memory back, with its tags, pins and history."""
    return _apply_verb(caller, memory_id, Verb.RESTORE)


@removes("memory.close", "Say that it is over", action=MEMORIES, text=result_text.render_memory)
def close(caller: Caller, *, memory_id: MemoryId) -> MemoryResponse:
    """Say that a memory is no longer true. It stays in history; what replaces it closes it by itself."""
    return _apply_verb(caller, memory_id, Verb.CLOSE)


@writes(
    "memory.reopen", "Say that it is still true", is_idempotent=True, action=MEMORIES, text=result_text.render_memory
)
def reopen(caller: Caller, *, memory_id: MemoryId) -> MemoryResponse:
    """Make a memory current again that a newer one closed by mistake."""
    return _apply_verb(caller, memory_id, Verb.REOPEN)


@writes("memory.propose", "Propose to shared", is_idempotent=True, action=MEMORIES)
def propose(caller: Caller, *, memory_id: MemoryId, body: ProposalInput) -> ProposalResponse:
    """Offer a memory of a user's or agent's space to `shared`; a person decides, and it stays where it is."""
    proposed = propose_memory(caller=caller, memory_id=memory_id, space=parse_space(body.space))
    return ProposalResponse.of(proposed.proposal)


@removes("memory.withdraw", "Withdraw a proposal", action=MEMORIES)
def withdraw(caller: Caller, *, proposal_id: ProposalId) -> WithdrawnResponse:
    """Take back a proposal that waits for a decision: name the space that it came from, or have the scope `facts`."""
    withdraw_proposal(caller=caller, proposal_id=proposal_id)
    return WithdrawnResponse(withdrawn=str(proposal_id))


def _apply_verb(caller: Caller, memory_id: UUID, verb: Verb, reason: str = "") -> MemoryResponse:
    return MemoryResponse.of(apply_transition(caller=caller, memory_id=memory_id, verb=verb, reason=reason))
