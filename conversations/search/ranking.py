"""Ranking messages for a question: signals, and their weighted sum. Pure: arrays in, arrays out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import date

import numpy as np

from conversations.indexing.candidates import Floats, MessageBatch, Places
from conversations.indexing.document import Mark
from conversations.search.bm25 import (
    Statistics,
    merge_statistics,
    message_scores,
    message_statistics,
    session_scores,
    session_statistics,
)
from conversations.search.query_parser import Question
from conversations.search.ranking_weights import RankingWeights
from core.english.answer_shapes import Shape

LONG_ENOUGH = 200  # characters; a longer message tells no more for that
DAYS = 3.0  # within which something said near a named day fades
MINUTES_OF_A_DAY = 1_440
MIN_REASON = 0.1  # of the strongest one
# What an answer is spread over is mostly in one conversation: this fraction of a score goes by the fraction of the best
# twenty that are of the message's conversation.
OF_CONVERSATION, CONVERSED = 0.2, 20
# Where a question names speakers, this fraction of a score goes by the fraction of them that speak in the message's
# conversation, next to the most of them that speak in any.
OF_SPEAKERS = 0.1
# What a list tells of the one person whom a question names is mostly in that person's own words.
OF_OWN_WORDS = 0.1
ROW = 128
# Signals that are not enough to find a message that shares nothing with the question.
CIRCUMSTANCES = frozenset(
    {"named_speaker", "from_user", "own_words", "tells_of_self", "length", "asks", "tells_time", "in_month", "near_day"}
)


@dataclass(frozen=True, slots=True)
class TermStatistics:
    """What the words of a question are worth where it is asked, among messages and among sessions."""

    messages: Statistics
    sessions: Statistics


def build_statistics(parts: Sequence[MessageBatch], question: Question) -> TermStatistics:
    return TermStatistics(
        merge_statistics([message_statistics(part, question) for part in parts]),
        merge_statistics([session_statistics(part, question) for part in parts]),
    )


def scores(
    batch: MessageBatch, question: Question, statistics: TermStatistics, ranking: RankingWeights
) -> tuple[Floats, Mapping[str, Floats]]:
    """Return the score of each message, 0 to 1 (0 is not found), and what each signal has added to it.

    The statistics are of more messages than the batch where only the candidates of many are ranked.
    """
    signals = compute_signals(batch, question, statistics, ranking)
    weights = {field.name: getattr(ranking.weights, field.name) for field in fields(ranking.weights)}
    parts = {name: signal * weights[name] for name, signal in signals.items() if weights[name]}
    best = sum(weight for weight in weights.values() if weight > 0)
    evidence = np.any([signal > 0 for name, signal in signals.items() if name not in CIRCUMSTANCES], axis=0)
    return np.clip(np.sum(list(parts.values()), axis=0) / best, 0.0, 1.0) * evidence, parts


def favour_conversation(batch: MessageBatch, score: Floats) -> Floats:
    """Return the scores with those lowered that are of other conversations than most of the best. Where the best are
    of many conversations, hardly any is."""
    homes, home = np.unique(batch.traits["conversation"], return_inverse=True)
    best = best_places(score, most=CONVERSED)
    # Of nearly equal scores the better ones count clearly more.
    shares = np.bincount(home[best], score[best] ** 4, len(homes))
    share = shares[home] / max(float(shares.sum()), 1e-9)
    favoured: Floats = score * (1 - OF_CONVERSATION + OF_CONVERSATION * share)
    return favoured


def favour_named_speakers(batch: MessageBatch, question: Question, score: Floats) -> Floats:
    """Return the scores with those lowered in whose conversations fewer of the named ones speak than in others; for a
    list of what one of them did, those of other speakers as well."""
    speakers = batch.traits["speaker"]
    named = [speakers == term for term in question.terms[list(question.names)] if (speakers == term).any()]
    if not named:
        return score
    homes, home = np.unique(batch.traits["conversation"], return_inverse=True)
    speaking = np.sum([np.bincount(home[said], minlength=len(homes)) > 0 for said in named], axis=0)
    favoured: Floats = score * (1 - OF_SPEAKERS + OF_SPEAKERS * speaking[home] / speaking.max())
    if question.shape.shape is Shape.LIST and len(named) == 1:
        favoured *= 1 - OF_OWN_WORDS + OF_OWN_WORDS * named[0]
    return favoured


def strongest_signals(parts: Mapping[str, Floats], places: Sequence[int]) -> list[list[str]]:
    """Return for each of the places the signals that speak for it, the strongest first; those that add next to nothing
    are left out."""
    names = sorted(parts, reverse=True)
    added = np.array([parts[name][places] for name in names])
    order = np.argsort(-added, axis=0, kind="stable")
    ranked = np.take_along_axis(added, order, axis=0)
    numbers = np.count_nonzero((ranked >= MIN_REASON * ranked[:1]) & (ranked[:1] > 0), axis=0)
    return [[names[row] for row in order[:number, at]] for at, number in enumerate(numbers)]


def companions(batch: MessageBatch, places: Sequence[int]) -> dict[int, int]:
    """Return the places right before answers and right after questions among these, each with the hit it goes with."""
    asks = batch.traits["marks"] & Mark.ASKS != 0
    found: dict[int, int] = {}
    for at in places:
        other = at + 1 if asks[at] else at - 1
        if batch.share_session(at, other) and asks[other] != asks[at]:
            found.setdefault(int(other), int(at))
    return found


def best_by_words(
    parts: Sequence[MessageBatch], question: Question, statistics: TermStatistics, ranking: RankingWeights
) -> list[Places]:
    """Return for each part the places of those that are among the candidates by words alone."""
    words = [message_scores(part, question, statistics.messages, ranking) for part in parts]
    least = max(_nth_best(np.concatenate(words), ranking.candidates), np.nextafter(0, 1))
    return [np.flatnonzero(some >= least) for some in words]


def best_places(values: Floats, *, most: int) -> Places:
    """Return the places of the `most` best values, best first, and of equal ones the first."""
    among = np.flatnonzero(values >= _nth_best(values, most))
    return among[np.argsort(-values[among], kind="stable")][:most]


def _nth_best(values: Floats, number: int) -> float:
    """Return the value that at least `number` reach; 0 where there are fewer."""
    if len(values) < number:
        return 0.0
    # So many rows of values hold one as good as the best of the rows' own best at the same rank: what is worse can be
    # left out before anything is sorted, which is most of many.
    rows = values[: len(values) // ROW * ROW].reshape(-1, ROW).max(axis=1, initial=0.0)
    if len(rows) > number:
        values = values[values >= np.partition(rows, -number)[-number]]
    return float(np.partition(values, -number)[-number])


def compute_signals(
    batch: MessageBatch, question: Question, statistics: TermStatistics, ranking: RankingWeights
) -> dict[str, Floats]:
    """Return every signal of `SignalWeights`, by its name."""
    words = _scale_to_best(message_scores(batch, question, statistics.messages, ranking))
    meaning = np.zeros(batch.size)
    if batch.cosines is not None:
        meaning = _scale_to_best(np.nan_to_num(batch.cosines) - ranking.floor)
    asks = _has(batch, Mark.ASKS)
    return {
        "words": words,
        "words_before": batch.shift_back(words),
        "words_two_before": batch.shift_back(words, 2),
        "words_after": batch.shift_forward(words),
        "session_words": _scale_to_best(session_scores(batch, question, statistics.sessions, ranking)),
        "session_best_words": batch.best_of_session(words),
        "coverage": _coverage(batch, question, statistics.messages),
        "meaning": meaning,
        "meaning_before": batch.shift_back(meaning),
        "meaning_after": batch.shift_forward(meaning),
        "session_best_meaning": batch.best_of_session(meaning),
        "answers_words": batch.shift_back(asks * words) * (1 - asks),
        "answers_meaning": batch.shift_back(asks * meaning) * (1 - asks),
        "named_speaker": _named_speaker(batch, question),
        "from_user": _has(batch, Mark.FROM_USER),
        "own_words": _has(batch, Mark.FROM_USER) * question.is_first_person,
        "tells_of_self": _has(batch, Mark.TELLS_OF_SELF),
        "length": np.minimum(batch.traits["characters"], LONG_ENOUGH) / LONG_ENOUGH,
        "asks": asks,
        "tells_time": _has(batch, Mark.TELLS_TIME) * question.asks_time,
        "in_month": _in_month(batch, question),
        "near_day": _near_day(batch, question),
    }


def _coverage(batch: MessageBatch, question: Question, statistics: Statistics) -> Floats:
    """Return how much of the question, by worth, occurs in a message or next to it."""
    worth = statistics.worth(question)
    held = batch.spread(batch.mark_terms(len(question.terms)))
    share: Floats = worth @ held / max(worth.sum(), 1e-9)
    return share


def _scale_to_best(values: Floats) -> Floats:
    """Return the values divided by the best one; negative ones are 0."""
    best = values.max(initial=0.0)
    scaled: Floats = np.maximum(values, 0.0) / best if best > 0 else np.zeros_like(values)
    return scaled


def _has(batch: MessageBatch, mark: Mark) -> Floats:
    flags: Floats = (batch.traits["marks"] & mark != 0).astype(np.float64)
    return flags


def _named_speaker(batch: MessageBatch, question: Question) -> Floats:
    """Return 1 where the question names exactly one of the speakers, and this is what that one said."""
    speakers = batch.traits["speaker"]
    named = [term for term in question.terms if (speakers == term).any()]
    return (speakers == named[0]).astype(np.float64) if len(named) == 1 else np.zeros(batch.size)


def _in_month(batch: MessageBatch, question: Question) -> Floats:
    if not question.months and not question.years:
        return np.zeros(batch.size)
    said = batch.traits["said"].astype("datetime64[m]")
    month = said.astype("datetime64[M]").astype(np.int64)  # since January 1970
    fits = np.ones(batch.size, bool)
    if question.months:
        fits &= np.isin(month % 12 + 1, list(question.months))
    if question.years:
        fits &= np.isin(month // 12 + 1970, list(question.years))
    return fits.astype(np.float64)


def _near_day(batch: MessageBatch, question: Question) -> Floats:
    if not question.days or not batch.size:
        return np.zeros(batch.size)
    said = batch.traits["said"] / MINUTES_OF_A_DAY
    years = range(1970 + int(said.min() // 366), 1971 + int(said.max() // 365))
    epoch = date(1970, 1, 1)
    meant = [day if day.year > 1 else day.replace(year=year) for day in question.days for year in years]
    away = np.min([np.abs(said - (day - epoch).days) for day in meant], axis=0)
    nearness: Floats = np.exp(-away / DAYS)
    return nearness
