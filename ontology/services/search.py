"""Hybrid search over nodes: a keyword arm and a semantic arm, fused into one score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.models import QuerySet

from core.embedding import QueryVector
from core.fusion import Fused, fused
from core.sql import named_statements
from core.text import query_terms
from ontology.models import Node
from ontology.words import WordCounts
from workspaces.callers import Caller

# Measured; docs/why/search.md says what other values cost.
CANDIDATES = 100  # that each arm offers to the fusion
EXACT_UP_TO = 3_000  # nodes are all compared; beyond, indexes say which are worth it
SAMPLE = 1_000  # of the newest nodes tell how common a word is
FOUND_BY_ONE = 0.01  # of the nodes may be brought in by one word
MOST_FOUND = 0.02  # of the nodes may be brought in by words

Scored = list[tuple[UUID, float]]

_STATEMENTS = named_statements(Path(__file__).parents[1] / "queries.sql")


@dataclass(frozen=True, slots=True)
class Ranking:
    """What a search found, best first; `method` says which arms took part."""

    hits: tuple[Fused, ...]
    method: str


@dataclass(frozen=True, slots=True)
class Found:
    """What the arms found: the scores of both for all of it, and how much each of them brought in."""

    keyword: Scored
    semantic: Scored
    by_words: int
    by_meaning: int


@dataclass(frozen=True, slots=True)
class Survey:
    """What is known before a search: the nodes that it may find, as SQL, how many they are (`EXACT_UP_TO + 1`: more)
    and how common its words are among them."""

    allowed: str | None
    size: int
    counts: WordCounts


def rank_nodes(
    *, caller: Caller, nodes: QuerySet[Node], query: str, vector: QueryVector | None, mode: str, limit: int
) -> Ranking:
    """Rank the given nodes for a query, in an open scope; `mode` is hybrid, keyword or semantic.

    Without a vector the answer is lexical, and its `method` says `keyword`.
    """
    survey = survey_nodes(caller=caller, nodes=nodes, query=query)
    return rank_surveyed(caller=caller, survey=survey, vector=vector, mode=mode, limit=limit)


def survey_nodes(*, caller: Caller, nodes: QuerySet[Node], query: str) -> Survey:
    """The half of `rank_nodes` that needs no vector, for those who do it while the vector is made."""
    allowed = _allowed(nodes.filter(workspace_id=caller.workspace_id))
    if allowed is None:
        return Survey(None, 0, WordCounts({}, 0))
    size, counts = _sizes(caller.workspace_id, allowed, query_terms(query))
    return Survey(allowed, size, counts)


def rank_surveyed(*, caller: Caller, survey: Survey, vector: QueryVector | None, mode: str, limit: int) -> Ranking:
    """The other half of `rank_nodes`, in an open scope."""
    asks_words = mode != "semantic" or vector is None
    counts = survey.counts if asks_words else WordCounts({}, 0)
    found = _find(caller.workspace_id, replace(survey, counts=counts), vector if mode != "keyword" else None)
    arms: dict[str, Scored] = {}
    if asks_words:
        arms["keyword"] = found.keyword
    if vector is not None and mode != "keyword":
        arms["semantic"] = found.semantic
    # Each node that was found has both scores, unless it has no vector.
    waiting = {identity for identity, _ in found.keyword} - {identity for identity, _ in found.semantic}
    return Ranking(tuple(fused(arms, limit=limit, waiting=waiting)), "hybrid" if len(arms) == 2 else next(iter(arms)))


def keyword_arm(*, caller: Caller, nodes: QuerySet[Node], query: str) -> Scored:
    """Nodes that share telling words with a text, best first, in an open scope."""
    return _find(caller.workspace_id, survey_nodes(caller=caller, nodes=nodes, query=query), None).keyword


def _find(workspace_id: UUID, survey: Survey, vector: QueryVector | None) -> Found:
    """Few nodes are all compared. Among many the indexes choose, and what they fail to find is looked for again."""
    if survey.allowed is None:
        return Found([], [], 0, 0)
    search = _Search(workspace_id, survey.allowed, survey.size, survey.counts, vector)
    if survey.size <= EXACT_UP_TO:
        return search.run(search.any_word, search.most_like)
    found = search.run(search.telling_words, search.nearest)
    has_words, has_near = found.by_words or not survey.counts.holding, found.by_meaning == CANDIDATES or vector is None
    if has_words and has_near:
        return found
    return search.run(
        search.telling_words if has_words else search.newest_with_a_word,
        search.nearest if has_near else search.most_like,
    )


def _allowed(nodes: QuerySet[Node]) -> str | None:
    """The nodes as SQL to be put into a statement with named parameters; None when there can be none."""
    try:
        text, values = nodes.order_by().values("id", "words").query.sql_with_params()
    except EmptyResultSet:
        return None
    with connection.cursor() as cursor:
        bound: str = cursor.mogrify(text, values)
    return bound.replace("%", "%%")


def _sizes(workspace_id: UUID, allowed: str, words: Sequence[str]) -> tuple[int, WordCounts]:
    """How many nodes are allowed; and how common the words are among the newest nodes."""
    quoted = {f"word_{place}": f"'{word}'" for place, word in enumerate(words)}
    counts = "".join(f", count(*) FILTER (WHERE words @@ to_tsquery('english', %({name})s))" for name in quoted)
    statement = _STATEMENTS["sizes"].format(allowed=allowed, counts=counts)
    values = {"counted": EXACT_UP_TO + 1, "workspace_id": workspace_id, "sample": SAMPLE if words else 0, **quoted}
    [(size, total, *holding)] = _rows(statement, **values)
    return size, WordCounts(dict(zip(quoted.values(), holding, strict=True)), total)


@dataclass(frozen=True, slots=True)
class _Order:
    """What an arm brings in first, as SQL, and for words a tsquery that says what it brings in at all."""

    by: str
    finding: str = ""


@dataclass(frozen=True, slots=True)
class _Search:
    """One search in the making; `allowed` is the SQL of the nodes that may be found."""

    workspace_id: UUID
    allowed: str
    size: int
    counts: WordCounts
    vector: QueryVector | None

    @property
    def worth(self) -> str:
        """The sum of each word's `ts_rank` times its worth.

        With `ts_rank`'s saturation and its division by the logarithm of the length, that is BM25 in all but name.
        """
        rank = "ts_rank(node.words, to_tsquery('english', %(word_{0})s), 1) * %(worth_{0})s"
        return " + ".join(rank.format(place) for place in range(len(self.counts.holding))) or "0::float8"

    @property
    def distance(self) -> str:
        return f"embedding.vector::halfvec({len(self.vector.values)}) <=> %(vector)s" if self.vector else "NULL::float8"

    @property
    def any_word(self) -> _Order:
        return _Order(f"{self.worth} DESC", self.counts.any)

    @property
    def telling_words(self) -> _Order:
        return _Order(f"{self.worth} DESC", self.counts.telling(alone=FOUND_BY_ONE, most=MOST_FOUND))

    @property
    def newest_with_a_word(self) -> _Order:
        """Common words alone say little: the newest nodes that have one will do, and not a ranking of half of all."""
        return _Order("id DESC", self.counts.any)

    @property
    def nearest(self) -> _Order:
        return _Order(self.distance)

    @property
    def most_like(self) -> _Order:
        """The same order, of which no index knows."""
        return _Order(f"1 - ({self.distance}) DESC")

    def run(self, words: _Order, meaning: _Order) -> Found:
        statement = _STATEMENTS["ranked"].format(
            allowed=self.allowed,
            first_words=words.by,
            first_meaning=meaning.by,
            worth=self.worth,
            cosine=f"1 - ({self.distance})",
        )
        rows = _rows(statement, finding=words.finding, **self._values())
        by_words, by_meaning = rows[0][3:] if rows else (0, 0)
        keyword = [(row[0], row[1]) for row in rows if row[1]]
        semantic = [(row[0], row[2]) for row in rows if row[2] is not None]
        return Found(_best_first(keyword), _best_first(semantic), by_words, by_meaning)

    def _values(self) -> dict[str, Any]:
        words = {f"word_{place}": word for place, word in enumerate(self.counts.holding)}
        worths = {f"worth_{place}": self.counts.worth(word) for place, word in enumerate(self.counts.holding)}
        model, vector = (self.vector.model, self.vector.values) if self.vector else ("", ())
        return {
            **words,
            **worths,
            "workspace_id": self.workspace_id,
            "candidates": CANDIDATES,
            "model": model,
            "dimensions": len(vector),
            "vector": f"[{','.join(f'{part:.5g}' for part in vector)}]",  # more digits than half a float keeps
        }


def _best_first(scored: Scored) -> Scored:
    return sorted(scored, key=lambda pair: pair[1], reverse=True)


def _rows(statement: str, **values: Any) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return list(cursor.fetchall())
