"""Confidence: the probability that something bears on a query, from signals that mean the same in every search. Pure.

Scores of a search are divided by their own best, so that the best hit of a query about nothing that is known has the
score of a good one. Confidence is not: logistic regressions over the raw cosine and over how much of the query's words,
by their rarity, a text holds. How they were fitted, and what they reach elsewhere: docs/why/context.md.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# Where the best of a search is less probable than this, the query is taken to be about nothing that was searched.
ANSWERABLE = 0.02
# The same of a question with names, where what was searched holds every one of them, and where it lacks one.
ANSWERABLE_ABOUT_KNOWN = 0.008
ANSWERABLE_ABOUT_UNKNOWN = 0.06
# The same of a question about the one who asks, which the own words of that user answer.
ANSWERABLE_ABOUT_ONESELF = 0.05
# What the best memory, node or statement has that answers a question with a name. The name brings whatever has it near,
# so that being near says nothing then.
ANSWERABLE_BY_NAME = 0.012
# A question in the first person ("What do I drink?") is that much less near to statements of its user in the third
# person, as a cosine.
FROM_ONESELF = 0.02
# What is that far behind the nearest one bears on the question no more, and what the nearest one is worth.
BEHIND_NEAREST, NEAREST_CONFIDENCE = 0.06, 0.25
# What is left then of each probability: less than the default of `memory.min_confidence`, whatever it was.
UNANSWERED = 0.008


@dataclass(frozen=True, slots=True)
class ConfidenceWeights:
    """A logistic regression: what each signal, in 0 to 1, adds to the logarithm of the odds.

    cosine: of the text with the query. coverage: the fraction of the query's words, by rarity, that the text has; words
    that nothing has count as the rarest. nearby: the same with what stands next to it. score, relative: of the search,
    and divided by the best of it.
    """

    constant: float
    cosine: float = 0.0
    coverage: float = 0.0
    nearby: float = 0.0
    score: float = 0.0
    relative: float = 0.0

    def probability(self, signals: Mapping[str, Floats]) -> Floats:
        """Return the probability for each item of these arrays."""
        weights = {each.name: getattr(self, each.name) for each in fields(self) if each.name != "constant"}
        odds = self.constant + sum(weight * signals[name] for name, weight in weights.items() if weight)
        probability: Floats = 1.0 / (1.0 + np.exp(-np.asarray(odds, np.float64)))
        return probability


@dataclass(frozen=True, slots=True)
class NearLimit:
    """How near a text comes to a question, as a cosine, that answers it in other words.

    In a small store the nearest text is the answer, although hardly a word of the question occurs at all. Of `FEW`
    texts one that has nothing to do with it seldom comes nearer than `of_few`; each time that there are e times as
    many, it comes nearer by `step`. However few there are, it needs `least`.
    """

    of_few: float
    step: float
    least: float


FEW = 40
NEAR_MESSAGE = NearLimit(of_few=0.52, step=0.095, least=0.5)
# Memories, nodes and statements stand alone and mostly in the third person, and come less near.
NEAR_TEXT = NearLimit(of_few=0.5, step=0.1, least=0.46)

# Of a text by itself; without a vector its words alone tell, without words the cosine.
BY_BOTH = ConfidenceWeights(constant=-12.68, cosine=12.9, coverage=4.01)
BY_WORDS = ConfidenceWeights(constant=-5.66, coverage=5.47)
BY_MEANING = ConfidenceWeights(constant=-14.98, cosine=18.59)


def text_confidence(*, cosines: Floats, coverages: Floats) -> Floats:
    """Return the confidence of texts with these cosines and coverages; NaN is what was not compared."""
    signals = {"cosine": np.nan_to_num(cosines), "coverage": np.nan_to_num(coverages)}
    no_cosine, no_coverage = np.isnan(cosines), np.isnan(coverages)
    found = np.where(
        no_cosine,
        BY_WORDS.probability(signals),
        np.where(no_coverage, BY_MEANING.probability(signals), BY_BOTH.probability(signals)),
    )
    return np.where(no_cosine & no_coverage, 0.0, found)


def doubt_unanswerable(
    alone: Floats, among_others: Floats, *, least: float = ANSWERABLE, is_answerable: bool = False
) -> Floats:
    """Return the second probabilities, of items of an answerable query, where it `is_answerable` or one of the first
    says so: it is `least` or more."""
    return among_others if is_answerable or alone.max(initial=0.0) >= least else alone * UNANSWERED


@dataclass(frozen=True, slots=True)
class HitConfidence:
    """The confidence of each hit, and whether the best ones have it for being the nearest of few alone."""

    values: Floats
    is_of_nearest: bool = False


def hit_confidence(
    *, cosines: Floats, coverages: Floats, number: int, has_name: bool = False, lacks_name: bool = False
) -> HitConfidence:
    """Return the confidence of the best of that number of memories, nodes or statements; whether the question has a
    name, and one that none of them has."""
    alone = text_confidence(cosines=cosines, coverages=coverages)
    best = float(alone.max(initial=0.0))
    if best >= ANSWERABLE:
        return HitConfidence(alone)
    by_name = best >= ANSWERABLE_BY_NAME and not np.isnan(cosines[alone.argmax()])  # words alone bring nothing near
    is_told = by_name if has_name else is_near(cosines, number=number, limit=NEAR_TEXT)
    if not is_told or lacks_name:
        return HitConfidence(alone * UNANSWERED)
    return HitConfidence(favour_nearest(alone, cosines), is_of_nearest=True)


def is_near(cosines: Floats, *, number: int, limit: NearLimit = NEAR_MESSAGE) -> bool:
    """Return whether the best of these cosines is one that hardly any of that number of texts has by chance."""
    least = max(limit.least, limit.of_few + limit.step * math.log(max(number, 1) / FEW))
    return float(np.nanmax(cosines, initial=0.0)) >= least


def favour_nearest(alone: Floats, cosines: Floats) -> Floats:
    """Return the probabilities of texts of which the nearest are taken to bear on the query, and the best one by its
    words as well: their odds are raised alike, so that the best of the nearest has `NEAREST_CONFIDENCE`; those behind
    them have next to nothing."""
    nearness = np.nan_to_num(cosines)
    near = nearness >= nearness.max(initial=0.0) - BEHIND_NEAREST
    best = float(alone[near].max(initial=1e-9))
    near |= alone >= alone.max(initial=0.0)
    odds = alone / (1 - alone) * (NEAREST_CONFIDENCE / (1 - NEAREST_CONFIDENCE)) * (1 - best) / best
    return np.where(near, odds / (1 + odds), alone * UNANSWERED)
