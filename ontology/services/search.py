"""Hybrid search over nodes: a keyword arm and a semantic arm, fused into one score."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.contrib.postgres.search import SearchQuery, SearchRank
from django.db import connection
from django.db.models import F, QuerySet, Value
from django.db.models.functions import Cast
from pgvector.django import CosineDistance, HalfVectorField

from core.embedding import EmbedderError, default_embedder
from core.fusion import Fused, fused
from core.text import query_terms
from ontology.models import Node, NodeEmbedding
from workspaces.callers import Caller
from workspaces.scope import workspace_scope

# How many candidates each arm offers to the fusion.
CANDIDATES = 100
# Up to here an exact scan of the workspace's vectors is quicker than an index that everybody's vectors share.
EXACT_UP_TO = 10_000
EF_SEARCH = 200


@dataclass(frozen=True, slots=True)
class Ranking:
    """What a search found, best first; `method` says which arms took part, `latency_ms` how long it took."""

    hits: tuple[Fused, ...]
    method: str
    latency_ms: float


@dataclass(frozen=True, slots=True)
class QueryVector:
    """A query as the model that made it sees it; compared with vectors of the same model only."""

    model: str
    values: Sequence[float]


def search_nodes(*, caller: Caller, nodes: QuerySet[Node], query: str, mode: str, limit: int) -> Ranking:
    """Rank the given nodes for a query; `mode` is hybrid, keyword or semantic.

    Where there is no embedder, or it fails, the answer is lexical and `method` says `keyword`.
    """
    started = time.perf_counter()
    vector = None if mode == "keyword" else query_vector(query)
    arms: dict[str, list[tuple[UUID, float]]] = {}
    with workspace_scope(caller):
        if mode != "semantic" or vector is None:
            arms["keyword"] = keyword_arm(nodes=nodes.filter(workspace_id=caller.workspace_id), query=query)
        if vector is not None:
            arms["semantic"] = semantic_arm(caller=caller, nodes=nodes, vector=vector)
    method = "hybrid" if len(arms) == 2 else next(iter(arms))
    hits = tuple(fused(arms, limit=limit))
    return Ranking(hits, method, round((time.perf_counter() - started) * 1000, 2))


def query_vector(query: str) -> QueryVector | None:
    """The query's vector; None when no embedder is there or it does not answer."""
    embedder = default_embedder()
    if embedder is None:
        return None
    try:
        return QueryVector(embedder.model, embedder.embed_query(query))
    except EmbedderError:
        return None


def keyword_arm(*, nodes: QuerySet[Node], query: str) -> list[tuple[UUID, float]]:
    """Nodes that have at least one word of the query, by `ts_rank` over their length's logarithm."""
    terms = query_terms(query)
    if not terms:
        return []
    words = SearchQuery(" | ".join(f"'{term}'" for term in terms), config="english", search_type="raw")
    ranked = nodes.filter(words=words).annotate(rank=SearchRank(F("words"), words, normalization=1))
    return list(ranked.order_by("-rank", "-id").values_list("id", "rank")[:CANDIDATES])


def semantic_arm(*, caller: Caller, nodes: QuerySet[Node], vector: QueryVector) -> list[tuple[UUID, float]]:
    """The nodes nearest to the query by cosine similarity (1 is the same direction), in an open scope."""
    dimensions = len(vector.values)
    mine = NodeEmbedding.objects.filter(workspace_id=caller.workspace_id, model=vector.model, dimensions=dimensions)
    distance = CosineDistance(Cast("vector", HalfVectorField(dimensions=dimensions)), list(vector.values))
    if mine[EXACT_UP_TO:].exists():
        _walk_index()
        ranked = mine.annotate(distance=distance)
    else:
        # Adding nothing hides the expression from the index.
        ranked = mine.annotate(distance=distance + Value(0.0))
    found = ranked.filter(node__in=nodes).order_by("distance").values_list("node_id", "distance")[:CANDIDATES]
    return [(identity, 1.0 - away) for identity, away in found]


def _walk_index() -> None:
    """Row security filters what the index yields, so the index must go on until enough rows are left."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT set_config('hnsw.iterative_scan', 'strict_order', true), set_config('hnsw.ef_search', %s, true)",
            [str(EF_SEARCH)],
        )
