"""How much a node matters in addition to its relevance. Pure: numbers and moments in, numbers out.

A hit's score is `relevance · (1 - SHARE + SHARE · standing)`, with

    standing   = (importance + recency) / 2
    importance = 1 - (1 - stated) · (1 - earned)
    earned     = MAX_EARNED · log2(1 + references) / log2(1 + ENOUGH), at most MAX_EARNED, halved every
                 HALF_LIFE_DAYS since the last reference
    recency    = halved every HALF_LIFE_DAYS since the node was last changed or referenced

Relevance, importance and an exponentially decaying recency are the three parts of memory retrieval in Park et al.,
"Generative Agents: Interactive Simulacra of Human Behavior" (2023), section 4.1, which adds them up. Here the standing
is a factor between 1 - SHARE and 1: what the query did not find has relevance 0 and keeps it however important it is,
and a node that is more than 1 / (1 - SHARE) times as relevant as another always comes before it. References earn by
the logarithm, as in a memory's weight (memory.memories.weights), because the tenth tells less than the first.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime, timedelta

SHARE = 0.2
HALF_LIFE_DAYS = 30.0
MAX_EARNED = 0.5
ENOUGH = 63
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class ReferencedNode:
    """What is known of a node: the stated importance (0 to 1), and what happened to it since."""

    stated: float
    references: int
    last_referenced_at: datetime | None
    changed_at: datetime


@dataclass(frozen=True, slots=True)
class ImportanceWeight:
    """What a node counts for by itself, each part from 0 to 1."""

    importance: float
    recency: float

    @property
    def factor(self) -> float:
        """What relevance is multiplied by: from 1 - SHARE to 1."""
        return 1 - SHARE + SHARE * (self.importance + self.recency) / 2


def weigh_importance(known: ReferencedNode, *, now: datetime) -> ImportanceWeight:
    """Return the standing of a node at a moment; it never rises by waiting."""
    touched = max(known.changed_at, known.last_referenced_at or known.changed_at)
    earned = 0.0
    if known.references and known.last_referenced_at:
        share = min(1.0, math.log2(1 + known.references) / math.log2(1 + ENOUGH))
        earned = MAX_EARNED * share * _decay(known.last_referenced_at, now)
    return ImportanceWeight(1 - (1 - known.stated) * (1 - earned), _decay(touched, now))


def _decay(moment: datetime, now: datetime) -> float:
    """Return what time has left of 1: a half after each half-life. A moment that is still to come counts as now."""
    return float(0.5 ** (max(timedelta(), now - moment) / (HALF_LIFE_DAYS * _DAY)))
