"""Where the good hits of a search end: at a gap in their scores. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

# A fall of the score from one hit to the next that is more than the usual slope; and what no word speaks for and
# hardly any likeness is noise, however it ranks.
MIN_GAP = 0.15
MAX_NOISE = 0.005


def count_strong(hits: Sequence[tuple[float, bool, float | None]]) -> int:
    """Return how many of the hits, best first, are worth showing at once; the others are folded.

    A hit is its score from 0 to 1, whether words have found it, and its confidence, None where that is not known.
    """
    sound = next((at for at, hit in enumerate(hits) if _is_noise(*hit)), len(hits))
    falls = [before[0] - after[0] for before, after in pairwise(hits[: sound + 1])]
    if not falls or max(falls) < MIN_GAP:
        return sound
    return min(falls.index(max(falls)) + 1, sound)


def _is_noise(score: float, by_words: bool, confidence: float | None) -> bool:
    return not by_words and confidence is not None and confidence < MAX_NOISE
