"""Confidence: the probability that something bears on a query, from signals that mean the same in every search. Pure.

Scores of a search are divided by their own best, so that the best hit of a query about nothing that is known has the
score of a good one. Confidence is not: logistic regressions over the raw cosine and over how much of the query's words,
by their rarity, a text holds. How they were fitted, and what they reach elsewhere: docs/why/context.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# Where the best of a search is less probable than this, the query is taken to be about nothing that was searched.
ANSWERABLE = 0.02
# The size of what was searched when it was chosen. The best of few is by chance less near a question about nothing than
# the best of many, and needs less to differ from it.
ANSWERABLE_OF, GROWTH = 200, 0.4
# The same of a question with names, where what was searched holds every one of them, and where it lacks one.
ANSWERABLE_ABOUT_KNOWN = 0.008
ANSWERABLE_ABOUT_UNKNOWN = 0.06
# The same of a question about the one who asks, which the own words of that user answer.
ANSWERABLE_ABOUT_ONESELF = 0.05
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


def least_answerable(size: int) -> float:
    """Return the least probability of the best of `size` texts for a question that they answer."""
    growth: float = (max(size, 1) / ANSWERABLE_OF) ** GROWTH
    return ANSWERABLE * min(1.0, growth)


def doubt_unanswerable(alone: Floats, among_others: Floats, *, least: float = ANSWERABLE) -> Floats:
    """Return the second probabilities, of items of an answerable query, where one of the first says that it is one: it
    is `least` or more."""
    return among_others if alone.max(initial=0.0) >= least else alone * UNANSWERED
