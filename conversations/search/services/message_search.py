"""Searching what was said: by words and by meaning, in one conversation or in the whole workspace."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from itertools import islice
from math import ceil
from typing import NamedTuple
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from conversations.indexing.candidates import ID, Floats, MessageBatch, Places, concatenate_batches, id_halves
from conversations.messages.selectors import ConversationContext, access_place
from conversations.models import Message
from conversations.search.confidence import GUIDANCE_CONFIDENCE, is_answered, message_confidence
from conversations.search.mentions import MENTIONS, arrange_hits
from conversations.search.query_parser import Question, read_question
from conversations.search.ranking import (
    TermStatistics,
    best_by_words,
    best_places,
    build_statistics,
    companions,
    favour_conversation,
    favour_named_speakers,
    scores,
    strongest_signals,
)
from conversations.search.ranking_weights import RANKING_WEIGHTS, RankingWeights
from conversations.search.services.index_reader import (
    FEW,
    read_all_compared,
    read_beginnings,
    read_compared,
    read_message_times,
    read_messages,
    read_nearest,
    read_words,
    split_ids,
)
from conversations.search.standing_instruction_candidates import (
    GUIDANCE_TERMS,
    best_candidates,
    choose_guidance,
    guidance_places,
    is_its_occasion,
    newest_places,
)
from core.embedding import QueryVector
from core.english.question_topics import search_text
from core.english.standing_instructions import READ, Guidance
from llm.embedding.services.query_vectors import begin_query_vector
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import reading_scope
from workspaces.settings.workspace_settings import memory_settings

# Places kept in addition to what is asked for, since a message of a block may be gone.
SPARE = 20
# Of the best hits get their question or their answer, where these are wanted.
COMPANIONED = 10
COMPANION = "question_and_answer"
# What it is worth next to the hit that it goes with.
PART_OF_COMPANION = 0.5
# Guidance that may apply to a request stands behind the best of this many hits, or behind this part of fewer.
BEST_BY_RANK, PART_BY_RANK = 6, 0.6


@dataclass(frozen=True, slots=True)
class RankedMessage:
    """A message that was found, its score in 0 to 1, and what speaks for it, the strongest reason first.

    `confidence` is the probability that it bears on the question. `session` is a number of its session among those
    that were searched, `place` its own: those said one after the other in a session stand next to each other. `before`
    and `after` are the ids of its neighbours there.
    """

    message: Message
    score: float
    reasons: Sequence[str]
    confidence: float = 0.0
    session: int = 0
    place: int = 0
    before: UUID | None = None
    after: UUID | None = None


class UnreadMessage(NamedTuple):
    """A message that hardly bears on the question, of which no more was read than that it exists and when it was said,
    in microseconds since 1970; the rest as for a `RankedMessage`."""

    id: UUID
    said: int
    score: float
    reasons: Sequence[str]
    confidence: float
    session: int
    place: int


@dataclass(frozen=True, slots=True)
class MessageSearchResult:
    """Hits best first; `method` is hybrid, or keyword where nothing was compared by meaning; in milliseconds.

    `unread` are those of the hits with less confidence than was asked for.
    """

    hits: Sequence[RankedMessage]
    method: str
    latency_ms: float
    unread: Sequence[UnreadMessage] = ()


def search_messages(
    *,
    caller: Caller,
    query: str,
    limit: int = 10,
    conversation: str | None = None,
    place: ConversationContext | None = None,
    embedding: Future[QueryVector | None] | None = None,
    for_context: bool = False,
    unread_below: float = 0.0,
    without: Collection[UUID] = (),
) -> MessageSearchResult:
    """Return messages that still exist, for a question, in the conversation with this key or id or in all of them.

    `limit` is 1 to 200. `place` is where to search, for callers that know it by its row already. Without an embedder,
    or while the workspace's `memory.embed_messages` is off, words alone find, and `method` says `keyword`. `embedding`
    is the vector of the query's `search_text`, where the caller makes it. Where the query asks for something to be
    done or advised, what users have asked for once and for all and may apply stands behind the best six hits.
    `for_context` adds it to as many as are wanted, and to a good hit that answers a question that one, to one that
    asks the answer; without it, hits for an order or a summary are arranged for that (`mentions.py`). Hits with
    less confidence than `unread_below` are not read, and are returned as `unread`; only for a context. Messages
    `without` which is searched count for nothing: the question itself, where it was appended before, would be the
    best hit of all. Raises MissingScopeError without `read`, NotFoundError.
    """
    caller.require(Right.READ)
    started = time.perf_counter()
    with reading_scope(caller):
        place = place or access_place(caller, conversation)
        # Made in another thread while the words are read, and waited for without a transaction, so that a slow model
        # holds no connection.
        is_semantic = memory_settings(place).embed_messages
        if not is_semantic:
            embedding = None
        elif embedding is None:
            embedding = begin_query_vector(search_text(query), caller=caller)
        search = _prepare_search(
            caller,
            place.conversation,
            read_question(query),
            for_context=for_context,
            unread_below=unread_below,
            without=without,
        )
        if embedding is None:
            return _build_result(search.hits(None, limit), "keyword", started)
    vector = embedding.result()
    with reading_scope(caller):
        hits = search.hits(vector, limit)
    return _build_result(hits, "keyword" if vector is None else "hybrid", started)


@dataclass(frozen=True, slots=True)
class _Existing:
    """Messages that exist, by the bytes of their ids: those that were read, and the times of the others."""

    messages: Mapping[bytes, Message]
    times: Mapping[bytes, int]

    @property
    def size(self) -> int:
        return len(self.messages) + len(self.times)

    def with_more(self, other: _Existing) -> _Existing:
        return _Existing({**self.messages, **other.messages}, {**self.times, **other.times})


@dataclass(frozen=True, slots=True)
class _MessageSearch:
    """What is known of a search before the question has a vector; `by_words` are the candidates among many messages,
    None where all are ranked; `guidance` are the ids of what may be it, None where that is not wanted."""

    caller: Caller
    conversation: UUID | None
    question: Question
    ranking: RankingWeights
    parts: Sequence[MessageBatch]
    statistics: TermStatistics
    by_words: Sequence[Places] | None
    guidance: NDArray[np.void] | None
    is_for_context: bool
    unread_below: float

    def hits(self, vector: QueryVector | None, limit: int) -> list[RankedMessage | UnreadMessage]:
        """Return the best of the messages that still exist, and what goes with them. For an open scope."""
        batch, score, parts = self.rank(vector)
        confidence = message_confidence(batch, self.question, self.statistics.messages, score)
        ranked = best_places(score, most=max(limit + SPARE, MENTIONS))
        worth = {at: points for at, points in zip(ranked.tolist(), score[ranked].tolist(), strict=True) if points > 0}
        best = list(worth)
        worth = worth if self.is_for_context else arrange_hits(batch, best, score, self.question)
        best = list(worth)[: limit + SPARE]
        first = best[:limit]
        guidance = dict(self._choose_guidance(batch, score, is_answered(confidence)))
        beside = companions(batch, best[:COMPANIONED]) if self.is_for_context else {}
        near = {at: hit for at, hit in beside.items() if at not in first and at not in guidance}
        places = [*best, *guidance]
        sure = {at: round(each, 4) for at, each in zip(places, confidence[places].tolist(), strict=True)}
        sure |= {at: round(float(confidence[hit]) * PART_OF_COMPANION, 4) for at, hit in near.items()}
        sure |= {at: max(sure[at], GUIDANCE_CONFIDENCE[kind]) for at, kind in guidance.items()}
        more = [at for at in guidance if at not in first]
        known = self._read(batch, [*first, *near, *more], sure)
        if known.size < len(first) + len(near) + len(more):
            known = known.with_more(self._read(batch, best[limit:], sure))

        def read_hits(
            places: Sequence[int], reasons: Sequence[Sequence[str]]
        ) -> Iterator[RankedMessage | UnreadMessage]:
            keys, sessions = split_ids(batch.ids[places]), batch.sessions[places].tolist()
            for at, key, session, signals in zip(places, keys, sessions, reasons, strict=True):
                points = float(score[near[at]]) * PART_OF_COMPANION if at in near else worth.get(at, score[at])
                points, why = round(float(points), 6), [guidance[at]] if at in guidance else signals
                if message := known.messages.get(key):
                    sides = (_neighbour(batch, at, at - 1), _neighbour(batch, at, at + 1))
                    beside = sides if self.is_for_context else (None, None)
                    yield RankedMessage(message, points, why, sure[at], session, at, *beside)
                elif (said := known.times.get(key)) is not None:
                    yield UnreadMessage(UUID(bytes=key), said, points, why, sure[at], session, at)

        found = list(islice(read_hits(best, strongest_signals(parts, best)), limit))
        if not self.is_for_context:
            return [
                *_with_guidance(_ranked_messages(found), _ranked_messages(read_hits([*guidance], [[]] * len(guidance))))
            ]
        added = [*near, *more]
        return [*found, *read_hits(added, [[COMPANION]] * len(added))]

    def _read(self, batch: MessageBatch, places: Sequence[int], sure: Mapping[int, float]) -> _Existing:
        """Return what still exists: of the messages that hardly bear on the question, the ids and times alone."""
        least = self.unread_below if self.is_for_context else 0.0
        read = [at for at in places if sure[at] >= least]
        unread = [at for at in places if sure[at] < least]
        return _Existing(
            read_messages(caller=self.caller, ids=batch.ids[read]),
            read_message_times(caller=self.caller, ids=batch.ids[unread]),
        )

    def _choose_guidance(self, batch: MessageBatch, score: Floats, is_found: bool) -> Iterator[tuple[int, Guidance]]:
        """Yield the places of guidance that may apply: what is asked of some answers where its occasion is that of the
        question; to one about nothing that was said only what is asked of all answers."""
        if self.guidance is None:
            return
        best = best_candidates(batch, score, self.guidance)
        texts = read_beginnings(caller=self.caller, ids=batch.ids[best], characters=READ) if len(best) else {}
        there = [(int(at), texts[key]) for at in best if (key := batch.ids[at].tobytes()) in texts]
        there = [(at, text) for at, text in there if is_its_occasion(text, self.question, _cosine(batch, at))]
        for at, kind in choose_guidance(there):
            if is_found or kind is Guidance.INSTRUCTION:
                yield at, kind

    def rank(self, vector: QueryVector | None) -> tuple[MessageBatch, Floats, Mapping[str, Floats]]:
        """Return the messages that were looked at, their scores, and what each signal has added. For an open scope."""
        if self.by_words is not None:
            batch = concatenate_batches(self._candidates(self.by_words, vector))
        else:
            batch = concatenate_batches(self.parts)
            if vector is not None:
                compared = read_all_compared(caller=self.caller, conversation=self.conversation, vector=vector)
                batch = batch.with_cosines(compared.read_cosines(batch.ids))
        score, parts = scores(batch, self.question, self.statistics, self.ranking)
        if self.question.shape.is_spread:
            score = favour_conversation(batch, score)
        score = favour_named_speakers(batch, self.question, score)
        return batch, score, parts

    def _candidates(self, by_words: Sequence[Places], vector: QueryVector | None) -> list[MessageBatch]:
        """Return of many messages the sessions of those that are found by words or by meaning."""
        if vector is None:
            return [part.only(part.mask_sessions(found)) for part, found in zip(self.parts, by_words, strict=True)]
        nearest = read_nearest(caller=self.caller, vector=vector, most=self.ranking.candidates)
        kept, wanted = [], []
        for part, found in zip(self.parts, by_words, strict=True):
            cosines = nearest.read_cosines(part.ids)
            near = part.with_cosines(cosines)
            candidates = np.union1d(found, np.flatnonzero(~np.isnan(cosines)))
            wanted.append(near.ids[near.missing_neighbours(candidates)])
            kept.append(near.only(near.mask_sessions(candidates)))
        more = read_compared(caller=self.caller, ids=np.concatenate(wanted), vector=vector)
        return [part.with_more_cosines(more.read_cosines(part.ids)) for part in kept]


def _prepare_search(
    caller: Caller,
    conversation: UUID | None,
    question: Question,
    *,
    for_context: bool = False,
    unread_below: float = 0.0,
    without: Collection[UUID] = (),
) -> _MessageSearch:
    """Return everything of a search that needs no vector. For an open scope."""
    # A context takes passages, to which the others of a session belong.
    is_alone = question.shape.is_of_topic and not for_context
    ranking = RANKING_WEIGHTS.of_topic if is_alone else RANKING_WEIGHTS
    wants_guidance = question.shape.is_request
    asked = np.concatenate([question.terms, question.forms])
    more = np.setdiff1d(GUIDANCE_TERMS, asked) if wants_guidance else asked[:0]
    terms = np.concatenate([asked, more])
    left_out = id_halves(np.frombuffer(b"".join(each.bytes for each in without), ID))
    read = [part.drop_ids(left_out) for part in read_words(caller=caller, conversation=conversation, terms=terms)]
    parts = [part.with_terms(len(question.terms), form_of=question.form_of) for part in read]
    statistics = build_statistics(parts, question)
    are_many = conversation is None and sum(part.size for part in parts) > FEW
    by_words = best_by_words(parts, question, statistics, ranking) if are_many else None
    guidance = None
    if wants_guidance:
        worded = [guidance_places(part, terms) for part in read]
        if by_words is not None:
            worded = [newest_places(part, places) for part, places in zip(read, worded, strict=True)]
            by_words = [np.union1d(found, places) for found, places in zip(by_words, worded, strict=True)]
        guidance = np.concatenate([part.ids[places] for part, places in zip(read, worded, strict=True)])
    return _MessageSearch(
        caller, conversation, question, ranking, parts, statistics, by_words, guidance, for_context, unread_below
    )


def _with_guidance(found: Sequence[RankedMessage], guidance: Sequence[RankedMessage]) -> list[RankedMessage]:
    """Return as many hits, those of guidance behind the best ones, with no more score than these."""
    if not found:
        return []
    first = found[: min(BEST_BY_RANK, ceil(len(found) * PART_BY_RANK))]
    ranked = {hit.message.id for hit in first}
    applying = [replace(hit, score=min(hit.score, first[-1].score)) for hit in guidance if hit.message.id not in ranked]
    known = ranked | {hit.message.id for hit in applying}
    least = min((hit.score for hit in applying), default=1.0)
    others = [replace(hit, score=min(hit.score, least)) for hit in found if hit.message.id not in known]
    return [*first, *applying, *others][: len(found)]


def _cosine(batch: MessageBatch, at: int) -> float:
    """Return the cosine of a message with the question; NaN where it was not compared."""
    return float("nan") if batch.cosines is None else float(batch.cosines[at])


def _neighbour(batch: MessageBatch, at: int, other: int) -> UUID | None:
    """Return the id of the message in that other place, where it is of the same session."""
    return UUID(bytes=batch.ids[other].tobytes()) if batch.share_session(at, other) else None


def _ranked_messages(found: Iterable[RankedMessage | UnreadMessage]) -> list[RankedMessage]:
    return [each for each in found if isinstance(each, RankedMessage)]


def _build_result(found: Sequence[RankedMessage | UnreadMessage], method: str, started: float) -> MessageSearchResult:
    unread = [each for each in found if isinstance(each, UnreadMessage)]
    return MessageSearchResult(
        _ranked_messages(found), method, round((time.perf_counter() - started) * 1000, 2), unread
    )
