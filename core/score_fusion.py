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

    `confidence` is the probability that it bears on the query, where the search tells it; `is_of_nearest` says that
    hits have it for being the nearest of few, and hardly for their words.
    """

    id: UUID
    score: float
    places: Mapping[str, ArmRank]
    confidence: float | None = None
    is_of_nearest: bool = False


def fuse_arms(
    arms: Mapping[str, Sequence[tuple[UUID, float]]], *, limit: int, waiting: Collection[UUID] = frozenset()
) -> list[Fused]:
    """Return the mean of the arms' normalised scores, best first; an arm that did not find an item gives it 0.

    `waiting` are items without a vector: their meaning is not known yet, so that their words alone are their score.
    Normalised scores and not ranks, because ranks lost in every pairing that was measured. Each arm's list is best
    first; equal scores keep the order of ids, newest first, so that the answer is stable.
    """
    normal = {name: _normalise(name, ranked) for name, ranked in arms.items()}
    scores: dict[UUID, float] = defaultdict(float)
    for found in normal.values():
        for identity, score in found:
            scores[identity] += score if waiting and identity in waiting else score / len(normal)
    best = nlargest(limit, scores.items(), key=lambda pair: (pair[1], pair[0]))
    places = {name: _places(found, {identity for identity, _ in best}) for name, found in normal.items()}
    return [
        Fused(identity, score, {name: arm[identity] for name, arm in places.items() if identity in arm})
        for identity, score in best
    ]


def _normalise(arm: str, ranked: Sequence[tuple[UUID, float]]) -> list[tuple[UUID, float]]:
    """Return what an arm has found with scores up to 1; what comes to nothing, which is last, is left out."""
    floor = COSINE_FLOOR if arm == "semantic" else 0.0
    span = max((score for _, score in ranked), default=0.0) - floor
    if span <= 0:
        return []
    return [(identity, min(1.0, (score - floor) / span)) for identity, score in ranked if score > floor]


def _places(found: Sequence[tuple[UUID, float]], wanted: Collection[UUID]) -> dict[UUID, ArmRank]:
    return {
        identity: ArmRank(rank, score) for rank, (identity, score) in enumerate(found, start=1) if identity in wanted
    }
