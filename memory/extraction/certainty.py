"""How much weight a statement has: by its kind, how firmly it was said, and how often. Pure; English."""

from __future__ import annotations

import re
from dataclasses import dataclass

MIN_CONFIDENCE, MAX_CONFIDENCE = 0.3, 0.9
MIN_IMPORTANCE, MAX_IMPORTANCE = 0.3, 0.95
# What each word that weakens or strengthens a statement takes or adds.
DOUBT, FIRMNESS = 0.15, 0.1
DOUBT_OF_IMPORTANCE, FIRMNESS_OF_IMPORTANCE = 0.1, 0.05
# What one more message that says the same adds to the importance; for confidence see `confidence_after_repetition`.
REPETITION, MAX_BY_REPETITION = 0.05, 0.9

_HEDGE = re.compile(
    r"(?i)\b(?:i think|i guess|i suppose|i believe|i feel like|maybe|perhaps|probably|possibly|might|may be|could be|"
    r"sort of|kind of|kinda|sorta|sometimes|occasionally|usually|mostly|somewhat|a bit|a little|not sure|i mean|"
    r"for now|at the moment|lately|these days|currently|thinking (?:about|of)|almost|roughly|about to)\b"
)
_FIRM = re.compile(
    r"(?i)\b(?:always|never|definitely|absolutely|totally|certainly|really|truly|strictly|severely|strongly|deeply|"
    r"for sure|for certain|without (?:a )?doubt|can't stand|cannot stand|hate|must|from now on|remember|note|"
    r"keep in mind|don't forget|important(?:ly)?|for the record|to be clear|just so you know|every (?:day|week|month|"
    r"year|morning|evening)|for (?:over |more than )?\w+ (?:years|decades)|since (?:19|20)\d\d)\b"
)


@dataclass(frozen=True, slots=True)
class Weight:
    """How much a statement matters and how certain it is, each from 0 to 1."""

    importance: float
    confidence: float


def weigh_statement(said: str, *, kind: Weight) -> Weight:
    """Return the weight of a sentence as it was said, with the words that led into it, from that of its kind."""
    doubts, firm = bool(_HEDGE.search(said)), bool(_FIRM.search(said))
    confidence = kind.confidence - DOUBT * doubts + FIRMNESS * firm
    importance = kind.importance - DOUBT_OF_IMPORTANCE * doubts + FIRMNESS_OF_IMPORTANCE * firm
    return Weight(
        round(min(max(importance, MIN_IMPORTANCE), MAX_IMPORTANCE), 2),
        round(min(max(confidence, MIN_CONFIDENCE), MAX_CONFIDENCE), 2),
    )


def confidence_after_repetition(one: float, other: float) -> float:
    """Return the confidence in what was said twice, apart from each other: both would have to be wrong."""
    return round(1 - (1 - one) * (1 - other), 4)


def importance_after_repetition(importance: float) -> float:
    """Return how much something matters that was said once more."""
    return importance if importance >= MAX_BY_REPETITION else round(min(importance + REPETITION, MAX_BY_REPETITION), 2)
