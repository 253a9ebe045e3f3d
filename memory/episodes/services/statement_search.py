"""Searching the statements of episodes: by words and by meaning, in every space that the caller reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Q

from core.embedding import QueryVector
from core.score_fusion import Fused
from memory.episodes.statement_kinds import StatementKind
from memory.memories.selectors import Moments
from memory.models import EpisodeStatement
from ontology.search.services.hybrid_ranking import RankedTable, rank_nodes
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import reading_scope

NOW = Moments()
STATEMENTS = RankedTable("episode_statements", "episode_statements", "id", tells_of_user=True)


@dataclass(frozen=True, slots=True)
class RankedStatement:
    """A statement that was found, and where each arm of the search put it."""

    statement: EpisodeStatement
    found: Fused


@dataclass(frozen=True, slots=True)
class StatementSearchResult:
    """Hits best first; `method` is hybrid, or keyword where nothing was compared by meaning."""

    hits: Sequence[RankedStatement]
    method: str


def search_statements(
    *,
    caller: Caller,
    query: str,
    vector: QueryVector | None,
    limit: int = 10,
    conversation: UUID | None = None,
    moments: Moments = NOW,
    kinds: Sequence[StatementKind] = (),
) -> StatementSearchResult:
    """Statements of live episodes for a query, in all spaces that the caller reads or in one conversation of them.

    Where `kinds` are named, those of these kinds in the space that the caller writes into.

    What was replaced is not among them, unless `moments` ask for a time when it was true, or not known to be over.

    `vector` is the query's, made before a transaction begins; without it words alone find. `limit` is 1 to 200. Raises
    MissingScopeError without `read`.
    """
    caller.require(Right.READ)
    with reading_scope(caller):
        statements = EpisodeStatement.objects.of(caller).filter(_hold(moments), episode__is_deleted=False)
        if conversation is not None:
            statements = statements.filter(conversation=conversation)
        if kinds:
            statements = statements.filter(kind__in=kinds, space_id=caller.reach.written)
        ranking = rank_nodes(
            caller=caller, nodes=statements, query=query, vector=vector, mode="hybrid", limit=limit, table=STATEMENTS
        )
        found = EpisodeStatement.objects.of(caller).filter(id__in=[hit.id for hit in ranking.hits])
        known = found.defer("vector", "words").in_bulk()
    hits = [RankedStatement(known[hit.id], hit) for hit in ranking.hits if hit.id in known]
    return StatementSearchResult(hits, ranking.method)


def newest_statements(
    *, caller: Caller, kind: StatementKind, limit: int, moments: Moments = NOW
) -> list[RankedStatement]:
    """Return the newest statements of a kind in the space that the caller writes into, as hits without a score; for an
    open scope."""
    statements = EpisodeStatement.objects.in_written_space(caller).filter(
        _hold(moments), episode__is_deleted=False, kind=kind
    )
    newest = statements.defer("vector", "words").order_by("-said_at", "-pk")[:limit]
    return [RankedStatement(statement, Fused(statement.pk, 0.0, {}, 0.0)) for statement in newest]


def _hold(moments: Moments) -> Q:
    at = moments.valid_moment
    open_then = Q(valid_to=None) | Q(valid_to__gt=at)
    if moments.known_at:
        open_then |= Q(superseded_at__gt=moments.known_at)
    holds = open_then & (Q(valid_from=None) | Q(valid_from__lte=at))
    return holds & Q(said_at__lte=moments.until) if moments.until else holds
