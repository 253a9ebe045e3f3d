"""Searching the statements of episodes: by words and by meaning, in every space that the caller reads."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.core.exceptions import EmptyResultSet
from django.db.models import Q, QuerySet

from core.clock import utc_now
from core.embedding import QueryVector
from core.score_fusion import Fused
from memory.episodes.statement_kinds import StatementKind
from memory.memories.selectors import Moments
from memory.models import EpisodeStatement
from ontology.search.services.hybrid_ranking import AllowedRows, RankedTable, rank_nodes
from workspaces.access.callers import Caller, Right
from workspaces.access.compiled_queries import CallerQuery
from workspaces.access.scope import reading_scope
from workspaces.access.tenancy import TenantQuerySet

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
        ranking = rank_nodes(
            caller=caller,
            nodes=_searchable_statements(caller, moments, conversation, kinds),
            query=query,
            vector=vector,
            mode="hybrid",
            limit=limit,
            table=STATEMENTS,
        )
        ids = [hit.id for hit in ranking.hits]
        known = EpisodeStatement.objects.of(caller).defer("vector", "words").in_bulk(ids) if ids else {}
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


def _searchable_statements(
    caller: Caller, moments: Moments, conversation: UUID | None, kinds: Sequence[StatementKind]
) -> AllowedRows | TenantQuerySet[Any]:
    """Return the statements that a search may find; all that hold now by a statement that is compiled once."""
    if conversation is None and not kinds and not moments.are_set:
        with suppress(EmptyResultSet):  # of a caller that reads no space
            compiled, values = _HOLD_NOW.bind(caller, at=utc_now())
            return AllowedRows(compiled.text, compiled.parameters(values))
    statements = EpisodeStatement.objects.of(caller).filter(_hold(moments), episode__is_deleted=False)
    if conversation is not None:
        statements = statements.filter(conversation=conversation)
    return statements.filter(kind__in=kinds, space_id=caller.reach.written) if kinds else statements


def _hold(moments: Moments) -> Q:
    holds = _truth_condition(moments.valid_moment, known_at=moments.known_at)
    return holds & Q(said_at__lte=moments.until) if moments.until else holds


def _truth_condition(at: datetime, *, known_at: datetime | None = None) -> Q:
    open_then = Q(valid_to=None) | Q(valid_to__gt=at)
    if known_at:
        open_then |= Q(superseded_at__gt=known_at)
    return open_then & (Q(valid_from=None) | Q(valid_from__lte=at))


def _build_hold_now(caller: Caller, given: Any) -> QuerySet[Any, Any]:
    statements = EpisodeStatement.objects.of(caller).filter(_truth_condition(given.at), episode__is_deleted=False)
    return statements.order_by().values_list("id", "words")


_HOLD_NOW = CallerQuery(_build_hold_now)
