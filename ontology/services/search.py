"""Hybrid search over nodes: a keyword arm and a semantic arm, fused into one score."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.contrib.postgres.search import SearchQuery
from django.db import connection
from django.db.models import FloatField, QuerySet, Value
from django.db.models.expressions import RawSQL
from django.db.models.functions import Cast
from pgvector.django import CosineDistance, HalfVectorField

from core.embedding import EmbedderError, default_embedder
from core.fusion import Fused, fused
from core.text import query_terms
from ontology.models import Node, NodeEmbedding
from ontology.words import WordCounts
from workspaces.callers import Caller
from workspaces.scope import workspace_scope

# Measured; docs/why/search.md says what other values cost.
CANDIDATES = 100  # that each arm offers to the fusion
EXACT_UP_TO = 10_000  # nodes are all compared; beyond, indexes say which are worth it
SAMPLE = 1_000  # newest nodes tell how common a word is
MOST_FOUND = 0.02  # of many nodes may be brought in by words
EF_SEARCH = 100

Scored = list[tuple[UUID, float]]


@dataclass(frozen=True, slots=True)
class Ranking:
    """What a search found, best first; `method` says which arms took part."""

    hits: tuple[Fused, ...]
    method: str


@dataclass(frozen=True, slots=True)
class QueryVector:
    """A query as the model that made it sees it; compared with vectors of the same model only."""

    model: str
    values: Sequence[float]


@dataclass(frozen=True, slots=True)
class Arm:
    """What one arm of a search found, best first, and `scores`: the score it gives to any node."""

    found: Scored
    scores: QuerySet[Any, tuple[UUID, float]]

    def with_scores_of(self, others: set[UUID]) -> Scored:
        """Its own finds and those of the other arm, best first."""
        missing = others.difference(identity for identity, _ in self.found)
        rest = self.scores.filter(pk__in=missing) if missing else ()
        return sorted([*self.found, *rest], key=lambda scored: scored[1], reverse=True)


def search_nodes(*, caller: Caller, nodes: QuerySet[Node], query: str, mode: str, limit: int) -> Ranking:
    """Rank the given nodes for a query; `mode` is hybrid, keyword or semantic.

    Where there is no embedder, or it fails, the answer is lexical and `method` says `keyword`.
    """
    # Outside of the transaction, so that a slow model holds no connection.
    vector = None if mode == "keyword" else query_vector(query)
    with workspace_scope(caller):
        return rank_nodes(caller=caller, nodes=nodes, query=query, vector=vector, mode=mode, limit=limit)


def rank_nodes(
    *, caller: Caller, nodes: QuerySet[Node], query: str, vector: QueryVector | None, mode: str, limit: int
) -> Ranking:
    """`search_nodes` for those who have the query's vector and an open scope."""
    nodes = nodes.filter(workspace_id=caller.workspace_id)
    are_many = nodes[EXACT_UP_TO:].exists()
    arms: dict[str, Arm] = {}
    if mode != "semantic" or vector is None:
        arms["keyword"] = _keyword_arm(nodes=nodes, query=query, most=MOST_FOUND if are_many else math.inf)
    if vector is not None:
        arms["semantic"] = _semantic_arm(caller=caller, nodes=nodes, vector=vector, are_many=are_many)
    candidates = {identity for arm in arms.values() for identity, _ in arm.found}
    hits = fused({name: arm.with_scores_of(candidates) for name, arm in arms.items()}, limit=limit)
    return Ranking(tuple(hits), "hybrid" if len(arms) == 2 else next(iter(arms)))


def query_vector(query: str) -> QueryVector | None:
    """The query's vector; None when no embedder is there or it does not answer."""
    embedder = default_embedder()
    if embedder is None:
        return None
    try:
        return QueryVector(embedder.model, embedder.embed_query(query))
    except EmbedderError:
        return None


def keyword_arm(*, nodes: QuerySet[Node], query: str) -> Scored:
    """Nodes that share telling words with a text, best first, in an open scope."""
    most = MOST_FOUND if nodes[EXACT_UP_TO:].exists() else math.inf
    return _keyword_arm(nodes=nodes, query=query, most=most).found


def _keyword_arm(*, nodes: QuerySet[Node], query: str, most: float) -> Arm:
    """The sum of each word's `ts_rank` times its worth; see `WordCounts.finders` for `most`.

    With `ts_rank`'s saturation and its division by the logarithm of the length, that is BM25 in all but name.
    """
    counts = _count_words(query_terms(query))
    if not counts.holding or not counts.total:
        return Arm([], nodes.none().values_list("id", Value(0.0)))
    rank = " + ".join(["ts_rank(nodes.words, to_tsquery('english', %s), 1) * %s"] * len(counts.holding))
    weighted = [part for word in counts.holding for part in (word, counts.worth(word))]
    scored = nodes.annotate(score=RawSQL(rank, weighted, FloatField())).values_list("id", "score")  # noqa: S611  # bound
    telling = scored.filter(words=SearchQuery(counts.finders(most=most), config="english", search_type="raw"))
    return Arm(list(telling.order_by("-score", "-id")[:CANDIDATES]), scored)


def _count_words(words: Sequence[str]) -> WordCounts:
    """How common words are among the newest nodes of the workspace whose scope is open."""
    quoted = [f"'{word}'" for word in words]
    counts = ", count(*) FILTER (WHERE words @@ to_tsquery('english', %s))" * len(quoted)
    newest = "SELECT words FROM nodes ORDER BY id DESC LIMIT %s"
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT count(*){counts} FROM ({newest}) AS newest", [*quoted, SAMPLE])  # noqa: S608  # bound
        total, *holding = cursor.fetchone()
    return WordCounts(dict(zip(quoted, holding, strict=True)), total)


def _semantic_arm(*, caller: Caller, nodes: QuerySet[Node], vector: QueryVector, are_many: bool) -> Arm:
    """The cosine similarity with the query; 1 is the same direction."""
    dimensions = len(vector.values)
    mine = NodeEmbedding.objects.filter(workspace_id=caller.workspace_id, model=vector.model, dimensions=dimensions)
    distance = CosineDistance(Cast("vector", HalfVectorField(dimensions=dimensions)), list(vector.values))
    scored = mine.annotate(score=Value(1.0) - distance).values_list("node_id", "score")
    nearest: Scored = []
    if are_many:
        _prepare_walk()
        nearest = list(scored.filter(node__in=nodes).order_by(distance)[:CANDIDATES])
    if len(nearest) < CANDIDATES:
        # Few nodes, or few of them on the index's way. The index does not know the order by score.
        nearest = list(scored.filter(node__in=nodes).order_by("-score")[:CANDIDATES])
    return Arm(nearest, scored)


def _prepare_walk() -> None:
    """Row security and filters take away from what the index yields, so it must go on until enough is left."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT set_config('hnsw.iterative_scan', 'strict_order', true), set_config('hnsw.ef_search', %s, true)",
            [str(EF_SEARCH)],
        )
