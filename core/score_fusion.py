"""Making one ranking out of several arms. Pure: scores in, scores out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from heapq import nlargest
from uuid import UUID

# Two unrelated texts have about this cosine with the bundled model; nothing below it counts as found by meaning.
# Measured, not derived: with many conversations in one index a fixed floor beat the plain cosine (docs/why/search.md).
COSINE_FLOOR = 0.40


@dataclass(frozen=True, slots=True)
class ArmRank:
    """Where one arm put an item: rank from 1, and its score in 0 to 1 (the arm's best is 1)."""

    rank: int
    score: float


@dataclass(frozen=True, slots=True)
class Fused:
    """An item of the common ranking; `score` is in 0 to 1.

    `confidence` is the probability that it bears on the query, where the search tells it.
    """

    id: UUID
    score: float
    places: Mapping[str, ArmRank]
    confidence: float | None = None


def fuse_arms(
    arms: Mapping[str, Sequence[tuple[UUID, float]]], *, limit: int, waiting: Collection[UUID] = frozenset()
) -> list[Fused]:
    """Return the mean of the arms' normalised scores, best first; an arm that did not find an item gives it 0.

    `waiting` are items without a vector: their meaning is not known yet, so that their words alone are their score.
    Normalised scores and not ranks, because ranks lost in every pairing that was measured. Each arm's list is best
    first; equal scores keep the order of ids, newest first, so that the answer is stable.
    """
    places = {name: _places(name, ranked) for name, ranked in arms.items()}
    scores: dict[UUID, float] = defaultdict(float)
    for found in places.values():
        for identity, place in found.items():
            scores[identity] += place.score if identity in waiting else place.score / len(places)
    best = nlargest(limit, scores, key=lambda identity: (scores[identity], identity))
    return [_hit(identity, scores[identity], places) for identity in best]


def _places(arm: str, ranked: Sequence[tuple[UUID, float]]) -> dict[UUID, ArmRank]:
    floor = COSINE_FLOOR if arm == "semantic" else 0.0
    span = max((score for _, score in ranked), default=0.0) - floor
    return {
        identity: ArmRank(rank, min(1.0, (score - floor) / span))
        for rank, (identity, score) in enumerate(ranked, start=1)
        if span > 0 and score > floor
    }


def _hit(identity: UUID, score: float, places: Mapping[str, Mapping[UUID, ArmRank]]) -> Fused:
    return Fused(identity, score, {name: arm[identity] for name, arm in places.items() if identity in arm})
