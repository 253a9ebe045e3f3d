"""Hybrid search over nodes, or over another table with words and vectors: a keyword and a semantic arm, fused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any
from uuid import UUID

import numpy as np
from django.core.exceptions import EmptyResultSet
from django.db import connection

from core.confidence import FROM_ONESELF, hit_confidence
from core.db.named_statements import named_statements
from core.db.search_vectors import quote_term
from core.embedding import QueryVector
from core.english.names import question_names
from core.english.persons import FIRST_PERSON
from core.english.word_forms import other_forms
from core.score_fusion import Fused, fuse_arms
from core.space_ids import NO_SPACE
from core.text import query_terms
from llm.embedding.selectors import name_vectors
from ontology.search.query_terms import WordCounts
from ontology.search.services.index_choice import compares_all
from workspaces.access.callers import Caller
from workspaces.access.tenancy import TenantQuerySet

# Measured; docs/why/search.md says what other values cost.
CANDIDATES = 100  # that each arm offers to the fusion
EXACT_UP_TO = 3_000  # nodes are all ranked; of more, indexes say which are worth it, where these cost less
COMPARED = 3 * CANDIDATES  # of the nearest vectors are asked for their nodes first, where most nodes are allowed
SAMPLE = 1_000  # of the newest nodes tell how common a word is
FOUND_BY_ONE = 0.01  # of the nodes may be brought in by one word
MAX_FOUND = 0.02  # of the nodes may be brought in by words

# What is drawn from messages without a name says "the user".
USER = "user"

# The annotation of rows whose words are those of an earlier moment, by which they are then found.
PAST_WORDS = "past_words"

Scored = list[tuple[UUID, float]]

_STATEMENTS = named_statements(Path(__file__).parents[1] / "queries.sql")


@dataclass(frozen=True, slots=True)
class RankedTable:
    """A table with the columns `id` and `words`, the table of its vectors, and their column that names a row.

    `tells_of_user` says that its texts tell of users in the third person.
    """

    rows: str
    vectors: str
    reference: str
    tells_of_user: bool = False

    def comparison_table(self, vector: QueryVector | None) -> str:
        """Return the SQL name of the vectors that a query is compared with."""
        return name_vectors(self.vectors, source=self.rows, reference=self.reference, query=vector)


NODES = RankedTable("nodes", "node_embeddings", "node_id")


@dataclass(frozen=True, slots=True)
class AllowedRows:
    """The rows that a search may find, as SQL that reads their `id` and `words`, with the values of its parameters.

    `are_past` says that the words are those of an earlier moment, and not those that the rows have now.
    """

    text: str
    values: Mapping[str, Any]
    are_past: bool = False


@dataclass(frozen=True, slots=True)
class Ranking:
    """What a search found, best first; `method` says which arms took part."""

    hits: tuple[Fused, ...]
    method: str


@dataclass(frozen=True, slots=True)
class Survey:
    """What is known of a search before its query has a vector: the nodes that it may find, how many they are
    (`EXACT_UP_TO + 1`: more), how common its words are among them, and what the words bring in.

    It `is_large` where the index of vectors costs less than comparing all of them. `has_name` says that the query names
    something, `lacks_name` that none of the nodes has such a name, `is_first_person` that it says "I" or "my".
    """

    workspace_id: UUID
    spaces: Sequence[UUID]
    allowed: AllowedRows | None
    size: int
    counts: WordCounts
    worded: Sequence[UUID]
    table: RankedTable = NODES
    is_large: bool = False
    has_name: bool = False
    lacks_name: bool = False
    is_first_person: bool = False

    @property
    def rows(self) -> str:
        """The SQL of the rows whose words are ranked."""
        past = "(SELECT id, words, %(workspace_id)s::uuid AS workspace_id FROM allowed)"
        return past if self.allowed and self.allowed.are_past else self.table.rows


def rank_nodes(
    *,
    caller: Caller,
    nodes: TenantQuerySet[Any] | AllowedRows,
    query: str,
    vector: QueryVector | None,
    mode: str,
    limit: int,
    table: RankedTable = NODES,
) -> Ranking:
    """Rank the given nodes for a query, in an open scope; `mode` is hybrid, keyword or semantic.

    Without a vector the answer is lexical, and its `method` says `keyword`. `nodes` may be rows of another `table`; as
    SQL they are those that the caller reads.
    """
    words = "" if mode == "semantic" and vector is not None else query
    survey = survey_nodes(caller=caller, nodes=nodes, query=words, table=table)
    return rank_surveyed(survey=survey, vector=vector, mode=mode, limit=limit)


def survey_nodes(
    *,
    caller: Caller,
    nodes: TenantQuerySet[Any] | AllowedRows,
    query: str,
    table: RankedTable = NODES,
    most_words: int | None = None,
) -> Survey:
    """Return the half of `rank_nodes` that needs no vector, for those who do it while the vector is made; in an open
    scope. A long text is looked for by its `most_words` rarest words."""
    allowed = nodes if isinstance(nodes, AllowedRows) else _allow_rows(nodes.of(caller))
    if allowed is None:
        return Survey(caller.workspace_id, caller.reach.read, None, 0, WordCounts({}, 0), (), table)
    size, counts = _sizes(caller, table, allowed, query_terms(query))
    counts = counts if most_words is None else counts.rarest(most_words)
    is_large = size > EXACT_UP_TO and not compares_all(caller=caller, vectors=table.vectors)
    names = query_terms(" ".join(question_names(query)))
    survey = Survey(
        caller.workspace_id,
        caller.reach.read,
        allowed,
        size,
        counts,
        (),
        table,
        is_large=is_large,
        has_name=bool(names),
        lacks_name=any(counts.holding.get(_quote_word(caller, name)) == 0 for name in names),
        is_first_person=FIRST_PERSON.search(query) is not None,
    )
    return replace(survey, worded=_HybridSearch(survey, None).by_words()) if size and counts.holding else survey


def rank_surveyed(*, survey: Survey, vector: QueryVector | None, mode: str, limit: int) -> Ranking:
    """Return the other half of `rank_nodes`, in an open scope; what may not be found any more is left out."""
    if mode == "semantic" and vector is not None:
        survey = replace(survey, counts=WordCounts({}, 0), worded=())
    found = _HybridSearch(survey, vector if mode != "keyword" else None).find()
    keyword, semantic = found.keyword, found.semantic
    arms: dict[str, Scored] = {}
    if mode != "semantic" or vector is None:
        arms["keyword"] = keyword
    if mode != "keyword" and vector is not None:
        arms["semantic"] = semantic
    hits = found.with_confidence(fuse_arms(arms, limit=limit, waiting=found.waiting), survey)
    return Ranking(tuple(hits), "hybrid" if len(arms) == 2 else next(iter(arms)))


def keyword_arm(*, caller: Caller, nodes: TenantQuerySet[Any], query: str) -> Scored:
    """Nodes that share telling words with a text, best first, in an open scope."""
    return _HybridSearch(survey_nodes(caller=caller, nodes=nodes, query=query), None).find().keyword


def _allow_rows(nodes: TenantQuerySet[Any]) -> AllowedRows | None:
    """Return the nodes as SQL to be put into a statement with named parameters; None when there can be none."""
    are_past = PAST_WORDS in nodes.query.annotations
    try:
        text, values = nodes.order_by().values("id", PAST_WORDS if are_past else "words").query.sql_with_params()
    except EmptyResultSet:
        return None
    with connection.cursor() as cursor:
        bound: str = cursor.mogrify(text, values)
    if are_past:
        bound = _STATEMENTS["past_versions"].format(allowed=bound)
    return AllowedRows(bound.replace("%", "%%"), {}, are_past)


def _quote_word(caller: Caller, word: str) -> str:
    """Return one of `query_terms` for a tsquery, with what else it may be said as. In a user's space their name
    also finds "the user": what is drawn from messages without a name says so."""
    name = caller.reach.name.user_name if caller.reach.name else ""
    words = [word, *other_forms(word), *([USER] if word in query_terms(name) else [])]
    return f"({' | '.join(map(quote_term, words))})" if len(words) > 1 else quote_term(word)


def _sizes(caller: Caller, table: RankedTable, allowed: AllowedRows, words: Sequence[str]) -> tuple[int, WordCounts]:
    """Return how many nodes are allowed; and how common the words are among the newest nodes."""
    quoted = {f"word_{place}": _quote_word(caller, word) for place, word in enumerate(words)}
    counts = "".join(f", count(*) FILTER (WHERE words @@ to_tsquery('english', %({name})s))" for name in quoted)
    spaces = list(caller.reach.read)
    newest = _STATEMENTS["newest" if len(spaces) == 1 else "newest_of_spaces"]
    statement = _STATEMENTS["sizes"].format(allowed=allowed.text, counts=counts, newest=newest.format(rows=table.rows))
    place = {"workspace_id": caller.workspace_id, "spaces": spaces, "space": spaces[0] if spaces else NO_SPACE}
    given = {**place, "counted": EXACT_UP_TO + 1, "sample": SAMPLE if words else 0}
    [(size, total, *holding)] = _rows(statement, **allowed.values, **given, **quoted)
    return size, WordCounts(dict(zip(quoted.values(), holding, strict=True)), total)


@dataclass(frozen=True, slots=True)
class _Found:
    """What both arms have found, each best first; those without a vector; and of each its cosine and the coverage of
    the words, where these were asked."""

    keyword: Scored
    semantic: Scored
    waiting: frozenset[UUID]
    worth: Mapping[UUID, tuple[float, float]]

    @classmethod
    def of(cls, rows: Sequence[Sequence[Any]]) -> _Found:
        """Return what rows of the statement `ranked` say."""
        keyword = [(row[0], row[1]) for row in rows if row[1]]
        semantic = [(row[0], row[2]) for row in rows if row[2] is not None]
        # Each node that was found has both scores, unless it has no vector.
        waiting = frozenset(row[0] for row in rows if row[1] and row[2] is None)
        worth = {row[0]: (_or_nan(row[2]), _or_nan(row[4])) for row in rows}
        return cls(_best_first(keyword), _best_first(semantic), waiting, worth)

    def with_confidence(self, hits: Sequence[Fused], survey: Survey) -> list[Fused]:
        """Return the hits, each with the probability that it bears on the query."""
        worth = np.array([self.worth[hit.id] for hit in hits], float).reshape(-1, 2)
        found = hit_confidence(
            cosines=worth[:, 0] + (FROM_ONESELF if survey.table.tells_of_user and survey.is_first_person else 0.0),
            coverages=worth[:, 1],
            number=survey.size,
            has_name=survey.has_name,
            lacks_name=survey.lacks_name,
        )
        return [
            Fused(hit.id, hit.score, hit.places, round(confidence, 4), found.is_of_nearest)
            for hit, confidence in zip(hits, found.values.tolist(), strict=True)
        ]


@dataclass(frozen=True, slots=True)
class _HybridSearch:
    """One search in the making.

    Few nodes are all compared. Among many the indexes choose, and what they fail to find is looked for again.
    """

    survey: Survey
    vector: QueryVector | None

    def by_words(self) -> list[UUID]:
        """Return what the keyword arm brings in."""
        counts = self.survey.counts
        if self.survey.size <= EXACT_UP_TO:
            return self._find_by_words(counts.any, first=f"{self.worth} DESC")
        telling = counts.telling(alone=FOUND_BY_ONE, most=MAX_FOUND)
        # Common words alone say little: the newest nodes that have one will do, and not a ranking of half of all.
        return self._find_by_words(telling, first=f"{self.worth} DESC") or self._find_by_words(
            counts.any, first="id DESC"
        )

    def find(self) -> _Found:
        """Return the scores of both arms for everything that either of them found."""
        allowed = self.survey.allowed
        if allowed is None or not self.survey.size:
            return _Found.of([])
        # What finds less than it could is done again with a look at each allowed node.
        for nearest in self._ways_to_the_nearest():
            rows = self._rank(allowed, nearest)
            if rows and rows[0][3] >= CANDIDATES:
                break
        return _Found.of(rows)

    @property
    def worth(self) -> str:
        """The sum of each word's `ts_rank` times its worth.

        With `ts_rank`'s saturation and its division by the logarithm of the length, that is BM25 in all but name.
        """
        rank = "ts_rank(node.words, to_tsquery('english', %(word_{0})s), 1) * %(worth_{0})s"
        return " + ".join(rank.format(place) for place in range(len(self.survey.counts.holding))) or "0::float8"

    @property
    def coverage(self) -> str:
        """The fraction of the query's words, by worth, that a node has; NULL without words."""
        counts = self.survey.counts
        total = sum(map(counts.worth, counts.holding))
        part = "(node.words @@ to_tsquery('english', %(word_{0})s))::int * %(worth_{0})s"
        held = " + ".join(part.format(place) for place in range(len(counts.holding)))
        return f"({held}) / {total:.6f}::float8" if total else "NULL::float8"

    @property
    def distance(self) -> str:
        return f"embedding.vector::halfvec({len(self.vector.values)}) <=> %(vector)s" if self.vector else "NULL::float8"

    def _find_by_words(self, finding: str, *, first: str) -> list[UUID]:
        allowed = self.survey.allowed
        if not finding or allowed is None:
            return []
        statement = _STATEMENTS["worded"].format(allowed=allowed.text, first=first)
        given = {**allowed.values, "finding": finding, "candidates": CANDIDATES}
        return [row[0] for row in _rows(statement, **given, **self._words())]

    def _ways_to_the_nearest(self) -> list[str]:
        if self.vector is None:
            return [_STATEMENTS["none"]]
        every = self._nearest_allowed(is_indexed=False)
        # What workspaces' own models made has no index of the nearest.
        if self.survey.is_large and not self.vector.is_of_workspace:
            return [self._nearest_allowed(is_indexed=True), every]
        return [self._allowed_of_nearest(), every] if self.survey.size > COMPARED else [every]

    def _nearest_allowed(self, *, is_indexed: bool) -> str:
        # The same order, once so that the index of vectors knows it and once so that it does not.
        first = self.distance if is_indexed else f"1 - ({self.distance}) DESC"
        table = self.survey.table
        vectors = table.comparison_table(self.vector)
        return _STATEMENTS["nearest_allowed"].format(vectors=vectors, reference=table.reference, first=first)

    def _allowed_of_nearest(self) -> str:
        table, cosine = self.survey.table, f"1 - ({self.distance})"
        vectors = table.comparison_table(self.vector)
        return _STATEMENTS["allowed_of_nearest"].format(vectors=vectors, reference=table.reference, cosine=cosine)

    def _rank(self, allowed: AllowedRows, nearest: str) -> list[Any]:
        table = self.survey.table
        statement = _STATEMENTS["ranked"].format(
            allowed=allowed.text,
            by_meaning=nearest,
            worth=self.worth,
            cosine=f"1 - ({self.distance})",
            coverage=self.coverage,
            rows=self.survey.rows,
            vectors=table.comparison_table(self.vector),
            reference=table.reference,
        )
        model, vector = (self.vector.model, self.vector.values) if self.vector else ("", ())
        return _rows(
            statement,
            **allowed.values,
            **self._words(),
            workspace_id=self.survey.workspace_id,
            spaces=list(self.survey.spaces),
            worded=f"{{{','.join([each.hex for each in self.survey.worded])}}}",
            candidates=CANDIDATES,
            compared=COMPARED,
            model=model,
            dimensions=len(vector),
            vector=_vector_text(tuple(vector)),
        )

    def _words(self) -> dict[str, Any]:
        counts = self.survey.counts
        words = {f"word_{place}": word for place, word in enumerate(counts.holding)}
        return words | {f"worth_{place}": counts.worth(word) for place, word in enumerate(counts.holding)}


@lru_cache(maxsize=64)
def _vector_text(vector: tuple[float, ...]) -> str:
    """Return a vector as SQL reads it; one search after the other asks for the same one."""
    return f"[{','.join([f'{part:.5g}' for part in vector])}]"  # more digits than half a float keeps


def _or_nan(value: float | None) -> float:
    return np.nan if value is None else value


def _best_first(scored: Scored) -> Scored:
    return sorted(scored, key=lambda pair: pair[1], reverse=True)


def _rows(statement: str, **values: Any) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return list(cursor.fetchall())
