"""Searching memories: the ontology's hybrid search over those that may be recalled."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from core.score_fusion import Fused
from llm.embedding.services.query_vectors import begin_query_vector
from memory.memories.history.past_state import MemoryState
from memory.memories.history.selectors import rewind_memories
from memory.memories.selectors import MemoryFilter, memories_by_id, recallable_nodes
from memory.models import Memory
from ontology.search.services.hybrid_ranking import rank_surveyed, survey_nodes
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope


@dataclass(frozen=True, slots=True)
class RankedMemory:
    """A memory that was found, and where each arm of the search put it."""

    memory: Memory
    found: Fused


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Hits best first; `method` is hybrid, keyword or semantic, `latency_ms` the time the search took. Those of another
    moment are as they were then, and `current` has what they are now."""

    hits: Sequence[RankedMemory]
    method: str
    latency_ms: float
    current: Mapping[UUID, MemoryState] = field(default_factory=dict)


def search_memories(
    *,
    caller: Caller,
    query: str,
    mode: str = "hybrid",
    limit: int = 10,
    narrow: MemoryFilter | None = None,
    most_words: int | None = None,
) -> SearchResult:
    """Memories that may be recalled, for a query; suppressed, forgotten and expired ones are never found.

    `mode` is hybrid, keyword or semantic; `limit` is 1 to 200. A whole text is looked for by its `most_words` rarest
    words. Raises MissingScopeError without `read`.
    """
    caller.require(Right.READ)
    started = time.perf_counter()
    # The vector is made outside of a transaction, so that a slow model holds no connection; words are looked for
    # meanwhile, in one of their own.
    embedding = None if mode == "keyword" else begin_query_vector(query, caller=caller)
    with workspace_scope(caller):
        nodes = recallable_nodes(caller, narrow or MemoryFilter())
        survey = survey_nodes(caller=caller, nodes=nodes, query=query, most_words=most_words)
    vector = embedding.result() if embedding else None
    with workspace_scope(caller):
        ranking = rank_surveyed(survey=survey, vector=vector, mode=mode, limit=limit)
        memories = memories_by_id(caller, [hit.id for hit in ranking.hits])
        current = rewind_memories(caller, list(memories.values()), (narrow or MemoryFilter()).moments)
    hits = [RankedMemory(memories[hit.id], hit) for hit in ranking.hits if hit.id in memories]
    return SearchResult(hits, ranking.method, round((time.perf_counter() - started) * 1000, 2), current)
