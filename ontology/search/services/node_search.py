"""Finding nodes: the hybrid search, narrowed by filters and weighted by what each node counts for."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from core.clock import utc_now
from core.embedding import QueryVector
from core.score_fusion import Fused
from llm.embedding.services.query_vectors import query_vector
from ontology.connections.selectors import access_connection
from ontology.models import GOVERNED_TYPES, Node
from ontology.nodes_and_edges.past_versions import NodeMoment, rewind_nodes
from ontology.nodes_and_edges.selectors import NodeFilter
from ontology.search.importance import ImportanceWeight, ReferencedNode, weigh_importance
from ontology.search.services.hybrid_ranking import rank_nodes
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope

# Of this number of relevant nodes the weighting chooses: all that the arms offer.
CANDIDATES = 200
ANYTHING = NodeFilter()


@dataclass(frozen=True, slots=True)
class NodeHit:
    """A node that was found: where each arm put it, what it counts for, and the score that follows from both."""

    node: Node
    found: Fused
    standing: ImportanceWeight

    @property
    def score(self) -> float:
        return self.found.score * self.standing.factor


@dataclass(frozen=True, slots=True)
class NodeHits:
    """Hits best first; `method` is hybrid, keyword or semantic, `latency_ms` the time the search took."""

    hits: Sequence[NodeHit]
    method: str
    latency_ms: float


def search_ontology(
    *,
    caller: Caller,
    query: str,
    mode: str = "hybrid",
    top_k: int = 10,
    narrow: NodeFilter = ANYTHING,
    as_of: datetime | None = None,
    moment: NodeMoment | None = None,
) -> NodeHits:
    """Find nodes of any type that may be recalled. See `ontology.search.importance` for their score.

    `mode` is hybrid, keyword or semantic; `top_k` is 1 to 200; `as_of` asks what was known then, as it was named then.
    `moment` asks the same of two clocks, and for no memories, which have a search of their own. Raises
    MissingScopeError without `read`, and NotFoundError for a connection that does not exist or belongs to another
    workspace.
    """
    caller.require(Right.READ)
    started = time.perf_counter()
    # Outside of the transaction, so that a slow model holds no connection.
    vector = None if mode == "keyword" else query_vector(query, caller=caller)
    found = find_nodes(
        caller=caller,
        query=query,
        vector=vector,
        mode=mode,
        top_k=top_k,
        narrow=narrow,
        as_of=as_of,
        moment=moment,
    )
    return NodeHits(found.hits, found.method, round((time.perf_counter() - started) * 1000, 2))


def find_nodes(
    *,
    caller: Caller,
    query: str,
    vector: QueryVector | None,
    mode: str,
    top_k: int,
    narrow: NodeFilter = ANYTHING,
    as_of: datetime | None = None,
    moment: NodeMoment | None = None,
) -> NodeHits:
    """Do what `search_ontology` does, for a caller that has the query's vector or None."""
    started = time.perf_counter()
    now = utc_now()
    with workspace_scope(caller):
        until = moment.until if moment else as_of
        at = moment.valid_moment if moment else as_of
        nodes = Node.objects.of(caller).recallable(at or now).filter(narrow.condition())
        if moment:
            nodes = nodes.filter(moment.condition()).exclude(type__in=GOVERNED_TYPES)
        if as_of:
            nodes = nodes.filter(created_at__lte=as_of)
        if narrow.connection:
            access_connection(caller, narrow.connection)
        ranking = rank_nodes(caller=caller, nodes=nodes, query=query, vector=vector, mode=mode, limit=CANDIDATES)
        standings = _standings(caller, [hit.id for hit in ranking.hits], now)
        weighed = [(hit, standings[hit.id]) for hit in ranking.hits if hit.id in standings]
        weighed.sort(key=lambda one: one[0].score * one[1].factor, reverse=True)
        known = Node.objects.of(caller).defer("words").in_bulk([hit.id for hit, _ in weighed[:top_k]])
        if until:
            known = {node.id: node for node in rewind_nodes(caller, list(known.values()), until)}
    hits = [NodeHit(known[hit.id], hit, standing) for hit, standing in weighed[:top_k] if hit.id in known]
    return NodeHits(hits, ranking.method, round((time.perf_counter() - started) * 1000, 2))


def _standings(caller: Caller, ids: Sequence[UUID], now: datetime) -> dict[UUID, ImportanceWeight]:
    rows = (
        Node.objects.of(caller)
        .filter(id__in=ids)
        .values_list("id", "importance_score", "independent_references", "last_referenced_at", "updated_at")
    )
    return {
        identity: weigh_importance(ReferencedNode(stated, references, referenced, changed), now=now)
        for identity, stated, references, referenced, changed in rows
    }
