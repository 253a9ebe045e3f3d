"""Memories that a new one may replace: those of the same space that share words of its subject."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import combinations
from typing import Any, TypeVar
from uuid import UUID

from django.contrib.postgres.search import SearchQuery
from django.db.models import Q, QuerySet
from django.db.models.functions import Coalesce

from core.clock import utc_now
from core.text import normalise
from memory.memories.replacement.claims import Reading, subject_words, value_words
from memory.memories.selectors import Moments, current_memories
from memory.models import Kind, Memory
from workspaces.access.callers import Caller

# The newest texts about the same subject that one write is compared with.
CANDIDATES, MAX_OTHERS = 40, 15
# Of the others, those that share one telling word where "I" and "we" speak: "my brother" among all that one says.
MAX_TELLING = 7
MAX_TERMS = 60
# Words of a text of which others share two.
MAX_PAIRED = 10
TEXT_COLUMNS = ("pk", "node__body", "author_id", "moment")
Row = TypeVar("Row", Memory, tuple[Any, ...])


def open_memories(caller: Caller) -> QuerySet[Memory]:
    """Return the memories and facts of the written space that hold, and so may be replaced; for an open scope.

    What is replaced from a coming day on holds until then, and may be replaced before.
    """
    mine = Memory.objects.in_written_space(caller).filter(still_open(), node__type__in=Kind.values)
    valid = mine.filter(Q(node__valid_to=None) | Q(node__valid_to__gt=utc_now()), node__is_deleted=False)
    held: QuerySet[Memory] = valid.filter(node__suppressed_at=None)
    return held


def still_open() -> Q:
    """Return the condition for memories that nothing has replaced by now."""
    return Q(superseded_at=None) | Q(superseded_by__isnull=False, node__valid_to__gt=utc_now())


@dataclass(frozen=True, slots=True)
class CandidateText:
    """What a new memory is compared with: the text of another one, who wrote it, and from when on it holds."""

    pk: UUID
    content: str
    author_id: str
    moment: datetime


def find_candidates(caller: Caller, reading: Reading, memory: Memory) -> Sequence[Memory]:
    """Return open memories of the same space: the newest that share words of subject and attribute with what the memory
    states, or any two words; where there is room, the newest that share one, and, where "I" and "we" speak, the newest
    of all as well."""
    open_ = open_memories(caller).exclude(pk=memory.pk).select_related("node").defer("node__words")
    return sorted(_newest_sharing(reading, open_), key=lambda each: each.pk)


def closer_of_same_text(caller: Caller, memory: Memory) -> UUID | None:
    """Return the memory that stands for a closed one of the same text, which is stated again; None where none does that
    may be recalled. For an open scope."""
    closed = Memory.objects.in_written_space(caller).exclude(superseded_by=None).exclude(pk=memory.pk)
    alike = closed.filter(node__words=SearchQuery(memory.content, config="english"), node__is_deleted=False)
    rows = alike.order_by("-superseded_at").values_list("pk", "node__body")[:CANDIDATES]
    twin = next((pk for pk, content in rows if normalise(content) == normalise(memory.content)), None)
    return None if twin is None else current_memories(caller, [twin], Moments()).get(twin)


def candidate_texts(
    caller: Caller,
    reading: Reading,
    memory: Memory,
    *,
    only_earlier: bool = False,
    closer: UUID | None = None,
) -> Sequence[CandidateText]:
    """Return the texts of the same memories, and of `closer`; `only_earlier` leaves out those that came in after it.

    Forty rows of two tables take ten times as long to make objects of as to compare.
    """
    others = {"pk__lt": memory.pk} if only_earlier else {}
    open_ = open_memories(caller).filter(**others).exclude(pk=memory.pk)
    moment = Coalesce("node__valid_from", "node__created_at")
    texts = open_.annotate(moment=moment).values_list(*TEXT_COLUMNS)
    rows = {*_newest_sharing(reading, texts), *(texts.filter(pk=closer) if closer else ())}
    return sorted((CandidateText(*row) for row in rows), key=lambda each: each.pk)


def _newest_sharing(reading: Reading, open_: QuerySet[Memory, Row]) -> list[Row]:
    newest = open_.order_by("-pk")
    found = list(newest.filter(node__words=words_query(reading))[:CANDIDATES])
    room = min(CANDIDATES - len(found), MAX_OTHERS)
    if room > 0:
        named, telling = subjects_query(reading), telling_query(reading)
        if named is not None or telling is not None:
            most = room if named else min(room, MAX_TELLING)
            found += _others(newest, found).filter(node__words=named or telling)[:most]
        if named is None:
            found += _others(newest, found)[: max(room - MAX_TELLING, 0)]
    return found


def _others(newest: QuerySet[Memory, Row], found: Sequence[Row]) -> QuerySet[Memory, Row]:
    return newest.exclude(pk__in=[row.pk if isinstance(row, Memory) else row[0] for row in found])


def words_query(reading: Reading) -> SearchQuery:
    """Return what texts about the same subjects and attributes hold, as a query of the full-text index."""
    parts = []
    for claim in reading.claims:
        words = list(dict.fromkeys([*value_words(claim), *claim.vocabulary]))[:MAX_TERMS]
        anything = [f"({' | '.join(map(_quote_word, words))})"] if words else []
        parts.append(" & ".join([*map(_quote_word, subject_words(claim)), *anything]))
    telling = map(_quote_word, reading.telling_words[:MAX_PAIRED])
    parts += [" & ".join(pair) for pair in combinations(telling, 2)]
    return SearchQuery(" | ".join(f"({part})" for part in parts if part), config="english", search_type="raw")


def subjects_query(reading: Reading) -> SearchQuery | None:
    """Return what texts that name one of the subjects hold, or any telling word; None where a subject is who speaks."""
    named = [subject_words(claim) for claim in reading.claims]
    if not all(named) or reading.has_speaker:
        return None
    parts = [f"({' & '.join(map(_quote_word, words))})" for words in named]
    parts += map(_quote_word, reading.telling_words[:MAX_PAIRED])
    return SearchQuery(" | ".join(parts), config="english", search_type="raw") if parts else None


def telling_query(reading: Reading) -> SearchQuery | None:
    """Return what texts that share one telling word hold; None where there is none."""
    words = " | ".join(map(_quote_word, reading.telling_words[:MAX_PAIRED]))
    return SearchQuery(words, config="english", search_type="raw") if words else None


def _quote_word(word: str) -> str:
    return "'" + word.replace("\\", " ").replace("'", "''") + "'"
