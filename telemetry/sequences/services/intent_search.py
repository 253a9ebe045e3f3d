"""Search over sequences by their intent: by what they were about, compared by meaning or by words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal
from uuid import UUID

from django.db.models import F, FloatField, QuerySet, Value
from django.db.models.functions import Cast
from pgvector.django import CosineDistance, HalfVectorField

from core.embedding import QueryVector
from core.errors import FieldProblem, InvalidError
from core.text import query_terms
from llm.embedding.services.query_vectors import query_vector
from llm.models import WorkspaceEmbedding
from telemetry.models import Intent
from telemetry.models import Sequence as SequenceRow
from telemetry.sequences.selectors import workspace_sequences
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope

Method = Literal["semantic", "keyword"]

MAX_FOUND = 200
DEFAULT_LIMIT = 20
# More than are answered: the sequences of an intent may be gone, and several spaces may have the same one.
INTENTS_COMPARED = 2 * MAX_FOUND


@dataclass(frozen=True, slots=True)
class SimilarSequence:
    """A sequence that was about what was asked for; `score` is 0 to 1."""

    sequence: SequenceRow
    score: float


@dataclass(frozen=True, slots=True)
class SimilarSequences:
    """The latest sequence of each intent, best first; `method` says whether meaning or only words were compared."""

    hits: Sequence[SimilarSequence]
    method: Method


def similar_sequences(*, caller: Caller, query: str, limit: int = DEFAULT_LIMIT) -> SimilarSequences:
    """Earlier sequences that were about something like this, best first: of each intent the latest one.

    Without an embedder, or when it fails, words are compared and `method` is `keyword`. Raises MissingScopeError
    without `read`, InvalidError for a limit outside 1 to 200.
    """
    caller.require(Right.READ)
    require_limit(limit)
    vector = query_vector(query, caller=caller)  # outside of the transaction, so that a slow model holds no connection
    with workspace_scope(caller):
        scores = _by_meaning(caller, vector) if vector else _by_words(caller, query)
        latest = workspace_sequences(caller).filter(intent_id__in=scores).order_by("intent_id", "-id")
        found = sorted(latest.distinct("intent_id"), key=lambda one: (-scores[one.intent_id], -one.id.int))
    by_summary: dict[str, SimilarSequence] = {}
    for one in found:
        by_summary.setdefault(one.intent.summary, SimilarSequence(one, scores[one.intent_id]))
    return SimilarSequences([*by_summary.values()][:limit], "semantic" if vector else "keyword")


def require_limit(limit: int) -> None:
    if not 1 <= limit <= MAX_FOUND:
        raise InvalidError(problems=(FieldProblem("limit", "out_of_range", f"Must be from 1 to {MAX_FOUND}."),))


def _by_meaning(caller: Caller, vector: QueryVector) -> dict[UUID, float]:
    """Return the intents nearest to the vector; there are few, since sequences share them, so every one is compared."""
    mine: QuerySet[Any] = Intent.objects.of(caller).annotate(row_id=F("id"))
    if vector.is_of_workspace:
        mine = WorkspaceEmbedding.objects.of(caller).filter(source=Intent._meta.db_table)
    dimensions = len(vector.values)
    distance = CosineDistance(Cast("vector", HalfVectorField(dimensions=dimensions)), list(vector.values))
    compared = mine.filter(model=vector.model, dimensions=dimensions)
    scored = compared.annotate(score=Cast(Value(1.0) - distance, FloatField())).order_by("-score", "row_id")
    return {identity: max(0.0, score) for identity, score in scored.values_list("row_id", "score")[:INTENTS_COMPARED]}


def _by_words(caller: Caller, query: str) -> dict[UUID, float]:
    wanted = set(query_terms(query))
    mine = Intent.objects.of(caller).values_list("id", "summary")
    shared = {identity: len(wanted & set(query_terms(summary))) for identity, summary in mine}
    best = sorted((identity for identity in shared if shared[identity]), key=lambda identity: -shared[identity])
    return {identity: shared[identity] / len(wanted) for identity in best[:INTENTS_COMPARED]}
