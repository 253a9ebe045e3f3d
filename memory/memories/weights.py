"""What a memory weighs. Pure: numbers in, numbers out."""

from __future__ import annotations

import math

MIN_WEIGHT = 0.1
MAX_WEIGHT = 10.0
# PRODUCT section 4: a memory cited once gains 0.1, three times 0.2, seven times 0.3: recall helps, and never runs away.
RECALL_GAIN = 0.1
MANUAL_LIMIT = 20.0


def effective_weight(*, manual: float, references: int) -> float:
    """clamp(manual + 0.1 · log2(1 + references), 0.1, 10); `references` are those by others than an agent itself."""
    return min(MAX_WEIGHT, max(MIN_WEIGHT, manual + recall_gain(references)))


def recall_gain(references: int) -> float:
    """Return the part of the weight that citations have earned: 0.1 · log2(1 + n)."""
    return RECALL_GAIN * math.log2(1 + references)


def adjust_manual_weight(*, manual: float, delta: float, seen: int | None, now: int) -> float:
    """Return the manual weight after a change by `delta`.

    When the caller tells which `times_referenced` it saw (`seen`), a positive delta is reduced by what recall has
    added since, not below zero: a person who lifts a memory and the citations that lift it do not add up. `now` is
    the number of references that count for the weight, which `seen` may exceed.
    The result stays within ±20, far outside of what the effective weight can show.
    """
    if seen is not None and delta > 0:
        delta = max(0.0, delta - max(0.0, recall_gain(now) - recall_gain(min(seen, now))))
    return min(MANUAL_LIMIT, max(-MANUAL_LIMIT, manual + delta))


def context_score(*, relevance: float, weight: float) -> float:
    """Return how strongly a found item asks for room in a context: relevance, lifted or lowered by its weight.

    relevance · (0.5 + 0.5 · log2(1 + weight)), at most 1: a weight of 1 changes nothing, 0.1 takes 43 % away, 3 adds
    a half. Multiplied, so that no weight lets in what the query did not find. `relevance` is 0 to 1.
    """
    return min(1.0, relevance * (0.5 + 0.5 * math.log2(1 + weight)))
