"""Ranking the messages of a scope for a question: signals, and their weighted sum. Pure: arrays in, arrays out.

Messages stand side by side in the order of their conversations and times, so that a neighbour is one place away.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import date
from typing import Any

import numpy as np
from numpy.typing import NDArray

from conversations.questions import Question
from conversations.recipe import Recipe
from conversations.sheets import Mark

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

LONG_ENOUGH = 200  # characters; a longer message tells no more for that
DAYS = 3.0  # within which something said near a named day fades
MINUTES_OF_A_DAY = 1_440
LEAST_REASON = 0.1  # of the strongest one
# Signals that are not enough to find a message that shares nothing with the question.
CIRCUMSTANCES = frozenset({"named_speaker", "own_words", "length", "asks", "tells_time", "in_month", "near_day"})


@dataclass(frozen=True, slots=True)
class Scope:
    """What is ranked: messages as ids (16 bytes), traits (`TRAITS`) and cosines side by side, and beside these the
    postings of the question's terms: in which place, which term, how often. A cosine that is not known is NaN."""

    ids: NDArray[np.void]
    traits: NDArray[np.void]
    places: NDArray[np.intp]
    terms: NDArray[np.uint32]
    counts: NDArray[np.uint8]
    cosines: Floats | None = None

    @property
    def size(self) -> int:
        return len(self.traits)


class Order:
    """Who stands beside whom: neighbours are messages of the same session."""

    def __init__(self, traits: NDArray[np.void]) -> None:
        named = traits["session"]
        # Sessions may be interleaved in time; equal names are one session wherever they stand.
        self.sessions, self.session = np.unique(named, return_inverse=True)
        self._same = {step: named[step:] == named[:-step] for step in (1, 2)}

    def before(self, values: Floats, step: int = 1) -> Floats:
        """For each message the value of the one `step` places before it, 0 where that is another session."""
        found = np.zeros_like(values)
        found[step:] = values[:-step] * self._same[step]
        return found

    def after(self, values: Floats, step: int = 1) -> Floats:
        found = np.zeros_like(values)
        found[:-step] = values[step:] * self._same[step]
        return found

    def best(self, values: Floats) -> Floats:
        """For each message the best value of its session."""
        best = np.zeros(len(self.sessions))
        np.maximum.at(best, self.session, values)
        return best[self.session]


def scores(scope: Scope, question: Question, recipe: Recipe) -> tuple[Floats, Mapping[str, Floats]]:
    """The score of each message, 0 to 1 (0 is not found), and what each signal has added to it."""
    signals = signals_of(scope, question, recipe)
    weights = {field.name: getattr(recipe.weights, field.name) for field in fields(recipe.weights)}
    parts = {name: signal * weights[name] for name, signal in signals.items() if weights[name]}
    best = sum(weight for weight in weights.values() if weight > 0)
    evidence = np.any([signal > 0 for name, signal in signals.items() if name not in CIRCUMSTANCES], axis=0)
    return np.clip(np.sum(list(parts.values()), axis=0) / best, 0.0, 1.0) * evidence, parts


def reasons_for(parts: Mapping[str, Floats], place: int) -> list[str]:
    """The signals that speak for a message, the strongest first; those that add next to nothing are left out."""
    added = sorted(((values[place], name) for name, values in parts.items()), reverse=True)
    return [name for value, name in added if value >= LEAST_REASON * added[0][0] > 0]


def best_by_words(scope: Scope, question: Question, recipe: Recipe) -> NDArray[np.intp]:
    """The places of the recipe's candidates by words alone."""
    words, _ = _bm25_of_messages(scope, question, recipe)
    found = np.flatnonzero(words)
    return found[np.argsort(-words[found], kind="stable")[: recipe.candidates]]


def signals_of(scope: Scope, question: Question, recipe: Recipe) -> dict[str, Floats]:
    """Every signal of `Weights`, by its name."""
    order = Order(scope.traits)
    words, coverage, session_words = _words(scope, order, question, recipe)
    meaning = np.zeros(scope.size) if scope.cosines is None else _scaled(np.nan_to_num(scope.cosines) - recipe.floor)
    asks = _has(scope, Mark.ASKS)
    return {
        "words": words,
        "words_before": order.before(words),
        "words_two_before": order.before(words, 2),
        "words_after": order.after(words),
        "words_two_after": order.after(words, 2),
        "session_words": session_words,
        "session_best_words": order.best(words),
        "coverage": coverage,
        "meaning": meaning,
        "meaning_before": order.before(meaning),
        "meaning_two_before": order.before(meaning, 2),
        "meaning_after": order.after(meaning),
        "session_best_meaning": order.best(meaning),
        "answers_words": order.before(asks * words) * (1 - asks),
        "answers_meaning": order.before(asks * meaning) * (1 - asks),
        "named_speaker": _named_speaker(scope, question),
        "own_words": _has(scope, Mark.FROM_USER) * question.is_first_person,
        "length": np.minimum(scope.traits["characters"], LONG_ENOUGH) / LONG_ENOUGH,
        "asks": asks,
        "tells_time": _has(scope, Mark.TELLS_TIME) * question.asks_time,
        "in_month": _in_month(scope, question),
        "near_day": _near_day(scope, question),
    }


def _words(scope: Scope, order: Order, question: Question, recipe: Recipe) -> tuple[Floats, Floats, Floats]:
    """BM25 of each message; the worth of the question's words that occur in or beside it; BM25 of its session.

    Each divided by the best, as BM25 has no upper end.
    """
    term = _numbers(scope, question)
    words, worth = _bm25_of_messages(scope, question, recipe)
    present = np.zeros((len(question.terms), scope.size))
    present[term, scope.places] = 1.0
    coverage = np.zeros(scope.size)
    for number in np.flatnonzero(worth):
        here = present[number]
        beside = np.maximum(order.before(here), np.maximum(order.before(here, 2), order.after(here)))
        coverage += worth[number] * np.maximum(here, beside)
    of_sessions, _ = _bm25(_by_session(scope, order, term), question, recipe)
    return _scaled(words), coverage / max(worth.sum(), 1e-9), _scaled(of_sessions)[order.session]


@dataclass(frozen=True, slots=True)
class _Postings:
    """Which term of the question stands in which document, how often; and the length of each document."""

    terms: NDArray[np.intp]
    documents: NDArray[np.intp]
    counts: Floats
    lengths: Floats


def _by_session(scope: Scope, order: Order, term: NDArray[np.intp]) -> _Postings:
    """Each session as one document."""
    sessions = len(order.sessions)
    pairs, where = np.unique(term * sessions + order.session[scope.places], return_inverse=True)
    return _Postings(
        pairs // max(1, sessions),
        pairs % max(1, sessions),
        _summed(where, scope.counts, len(pairs)),
        _summed(order.session, scope.traits["length"], sessions),
    )


def _numbers(scope: Scope, question: Question) -> NDArray[np.intp]:
    """For each posting the number of its term in the question."""
    order = np.argsort(question.terms)
    return order[np.searchsorted(question.terms, scope.terms, sorter=order)]


def _bm25_of_messages(scope: Scope, question: Question, recipe: Recipe) -> tuple[Floats, Floats]:
    numbers, lengths = _numbers(scope, question), scope.traits["length"].astype(np.float64)
    return _bm25(_Postings(numbers, scope.places, scope.counts.astype(np.float64), lengths), question, recipe)


def _bm25(found: _Postings, question: Question, recipe: Recipe) -> tuple[Floats, Floats]:
    """BM25 of each document, and each term's worth (0 where no document has it)."""
    total = len(found.lengths)
    holding = np.bincount(found.terms, minlength=len(question.terms))
    worth = np.where(holding, np.log1p((total - holding + 0.5) / (holding + 0.5)) * question.counts, 0.0)
    longer = 1 - recipe.b + recipe.b * found.lengths / max(found.lengths.sum() / max(total, 1), 1e-9)
    gain = worth[found.terms] * found.counts * (recipe.k1 + 1) / (found.counts + recipe.k1 * longer[found.documents])
    return _summed(found.documents, gain, total), worth


def _summed(groups: NDArray[np.intp], values: NDArray[Any], count: int) -> Floats:
    """The sum of the values of each group; the groups are numbered."""
    sums: Floats = np.bincount(groups, values, count).astype(np.float64)
    return sums


def _scaled(values: Floats) -> Floats:
    """Divided by the best; what is below nothing is nothing."""
    best = values.max(initial=0.0)
    scaled: Floats = np.maximum(values, 0.0) / best if best > 0 else np.zeros_like(values)
    return scaled


def _has(scope: Scope, mark: Mark) -> Floats:
    flags: Floats = (scope.traits["marks"] & mark != 0).astype(np.float64)
    return flags


def _named_speaker(scope: Scope, question: Question) -> Floats:
    """1 where the question names exactly one of the speakers, and this is what that one said."""
    speakers = scope.traits["speaker"]
    named = [term for term in question.terms if (speakers == term).any()]
    return (speakers == named[0]).astype(np.float64) if len(named) == 1 else np.zeros(scope.size)


def _in_month(scope: Scope, question: Question) -> Floats:
    if not question.months and not question.years:
        return np.zeros(scope.size)
    said = scope.traits["said"].astype("datetime64[m]")
    month = said.astype("datetime64[M]").astype(np.int64)  # since January 1970
    fits = np.ones(scope.size, bool)
    if question.months:
        fits &= np.isin(month % 12 + 1, list(question.months))
    if question.years:
        fits &= np.isin(month // 12 + 1970, list(question.years))
    return fits.astype(np.float64)


def _near_day(scope: Scope, question: Question) -> Floats:
    if not question.days:
        return np.zeros(scope.size)
    said = scope.traits["said"] / MINUTES_OF_A_DAY
    years = range(1970 + int(said.min() // 366), 1971 + int(said.max() // 365)) if scope.size else range(0)
    epoch = date(1970, 1, 1)
    meant = [day if day.year > 1 else day.replace(year=year) for day in question.days for year in years]
    away = np.min([np.abs(said - (day - epoch).days) for day in meant], axis=0)
    nearness: Floats = np.exp(-away / DAYS)
    return nearness
