"""Tools for memories and facts: remember, recall, and what governs them."""

from __future__ import annotations

from uuid import UUID

from core.clock import utc_now
from mcp_server.arguments import Kind, Limit, MemoryId, Mode, Moment, Share
from mcp_server.registry import reads, removes, writes
from memory.memories.schemas import (
    Content,
    MemoriesResponse,
    MemoryResponse,
    MemorySearchResponse,
    Query,
    Reason,
    RememberedResponse,
    Tags,
)
from memory.memories.selectors import MemoryFilter, access_memory, memories_matching
from memory.memories.services.lifecycle import apply_transition
from memory.memories.services.memory_search import search_memories
from memory.memories.services.memory_writer import NewMemory, edit_memory
from memory.memories.services.memory_writer import remember as remember_memory
from memory.memories.transitions import Verb
from memory.models import Kind as MemoryKind
from memory.models import Source
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope


@writes("memory.remember", "Remember", is_idempotent=True)
def remember(
    caller: Caller,
    *,
    content: Content,
    kind: Kind = "memory",
    tags: Tags = [],  # noqa: B006  # read, never changed; the schema shows it as the default
    importance: Share = 0.5,
    confidence: Share = 1.0,
    expires_at: Moment | None = None,
) -> RememberedResponse:
    """Keep something worth knowing in later conversations: a preference, a decision, a fact about people or things.
    Use it when the user says so or when you learn what will matter again. The same content twice is kept once."""
    new = NewMemory(
        content=content,
        kind=MemoryKind(kind),
        source=Source.AGENT,
        tags=tuple(tags),
        importance=importance,
        confidence=confidence,
        expires_at=expires_at,
    )
    remembered = remember_memory(caller=caller, new=new)
    return RememberedResponse.of(remembered)


@reads("memory.recall", "Recall")
def recall(
    caller: Caller,
    *,
    query: Query,
    limit: Limit = 10,
    mode: Mode = "hybrid",
    tags: Tags = [],  # noqa: B006  # as above
    kinds: list[Kind] = [],  # noqa: B006
) -> MemorySearchResponse:
    """Find memories and facts by words and by meaning. Use it before you answer anything that may depend on what was
    learned earlier. Cite what you use as [mem:<id>] in your answer."""
    narrow = MemoryFilter(tags=list(tags), kinds=list(kinds))
    return MemorySearchResponse.of(search_memories(caller=caller, query=query, mode=mode, limit=limit, narrow=narrow))


@reads("memory.get", "Read a memory")
def get(caller: Caller, *, memory_id: MemoryId) -> MemoryResponse:
    """Read one memory by its id. A forgotten one is still answered, with is_deleted."""
    return MemoryResponse.of(access_memory(caller, memory_id, with_forgotten=True))


@reads("memory.list", "List memories")
def list_(
    caller: Caller,
    *,
    limit: Limit = 50,
    pinned: bool | None = None,
    kinds: list[Kind] = [],  # noqa: B006
    tags: Tags = [],  # noqa: B006
) -> MemoriesResponse:
    """The newest memories and facts, without a query. Prefer memory_recall when you look for something."""
    caller.require(Right.READ)
    narrow = MemoryFilter(pinned=pinned, kinds=list(kinds), tags=list(tags))
    with workspace_scope(caller):
        found = memories_matching(caller, narrow).recallable(utc_now()).order_by("-pk")[:limit]
        return MemoriesResponse(results=[MemoryResponse.of(memory) for memory in found])


@writes("memory.edit", "Correct a memory", is_idempotent=True)
def edit(caller: Caller, *, memory_id: MemoryId, content: Content) -> MemoryResponse:
    """Replace the content of a memory that turned out wrong or out of date. Its history keeps what it said before."""
    return MemoryResponse.of(edit_memory(caller=caller, memory_id=memory_id, changes={"content": content}))


@writes("memory.promote", "Promote to a fact", is_idempotent=True)
def promote(caller: Caller, *, memory_id: MemoryId) -> MemoryResponse:
    """Make a memory a fact, which every later context holds. Only when a person asks; needs the scope `facts`."""
    return _apply_verb(caller, memory_id, Verb.PROMOTE)


@writes("memory.demote", "Demote to a memory", is_idempotent=True)
def demote(caller: Caller, *, memory_id: MemoryId) -> MemoryResponse:
    """Make a fact a memory again: a suggestion among others."""
    return _apply_verb(caller, memory_id, Verb.DEMOTE)


@writes("memory.pin", "Pin a memory", is_idempotent=True)
def pin(caller: Caller, *, memory_id: MemoryId) -> MemoryResponse:
    """Protect a memory from being forgotten and put it first on its page. Needs the scope `facts`."""
    return _apply_verb(caller, memory_id, Verb.PIN)


@writes("memory.unpin", "Unpin a memory", is_idempotent=True)
def unpin(caller: Caller, *, memory_id: MemoryId) -> MemoryResponse:
    """Take a memory's pin away, so that it can be forgotten again. Needs the scope `facts`."""
    return _apply_verb(caller, memory_id, Verb.UNPIN)


@removes("memory.suppress", "Suppress a memory")
def suppress(caller: Caller, *, memory_id: MemoryId, reason: Reason = "") -> MemoryResponse:
    """Keep a memory out of every recall without forgetting it, for example while it is in doubt."""
    return _apply_verb(caller, memory_id, Verb.SUPPRESS, reason)


@writes("memory.unsuppress", "Lift a suppression", is_idempotent=True)
def unsuppress(caller: Caller, *, memory_id: MemoryId) -> MemoryResponse:
    """Let a suppressed memory be recalled again. Needs the scope `facts`."""
    return _apply_verb(caller, memory_id, Verb.UNSUPPRESS)


@removes("memory.forget", "Forget a memory")
def forget(caller: Caller, *, memory_id: MemoryId) -> MemoryResponse:
    """Forget a memory: no recall finds it, and no import brings it back. A pinned one is refused."""
    return _apply_verb(caller, memory_id, Verb.FORGET)


@writes("memory.restore", "Restore a memory", is_idempotent=True)
def restore(caller: Caller, *, memory_id: MemoryId) -> MemoryResponse:
    """Bring a forgotten memory back, with its tags, pins and history."""
    return _apply_verb(caller, memory_id, Verb.RESTORE)


def _apply_verb(caller: Caller, memory_id: UUID, verb: Verb, reason: str = "") -> MemoryResponse:
    return MemoryResponse.of(apply_transition(caller=caller, memory_id=memory_id, verb=verb, reason=reason))
