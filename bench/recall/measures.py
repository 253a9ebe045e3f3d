"""What a ranking is worth, given the evidence. Pure."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

DEPTHS = (1, 5, 10)
ALL = "all"


@dataclass(frozen=True, slots=True)
class Answered:
    """A ranking of ids, best first, for a question of a category, and the ids that it should have found."""

    category: str
    ranked: Sequence[str]
    evidence: frozenset[str]


def compute_measures(answers: Iterable[Answered]) -> dict[str, dict[str, float]]:
    """Per category, and under `all`: the mean of each measure in per cent, and how many questions there were.

    any@k: at least one piece of the evidence is among the first k; frac@k: the fraction of it; all@k: all of it.
    NDCG@10 counts evidence as relevant or not (Järvelin and Kekäläinen 2002); MRR the first piece.
    """
    values: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for answer in answers:
        for name, value in _of_one(answer).items():
            values[ALL][name].append(value)
            values[answer.category][name].append(value)
    return {category: _means(found) for category, found in values.items()}


def _of_one(answer: Answered) -> dict[str, float]:
    found: dict[str, float] = {}
    for depth in DEPTHS:
        top = answer.evidence.intersection(answer.ranked[:depth])
        found[f"any@{depth}"] = bool(top)
        found[f"frac@{depth}"] = len(top) / len(answer.evidence)
        found[f"all@{depth}"] = len(top) == len(answer.evidence)
    places = [place for place, key in enumerate(answer.ranked) if key in answer.evidence]
    gain = sum(1 / math.log2(place + 2) for place in places if place < 10)
    found["ndcg@10"] = gain / sum(1 / math.log2(place + 2) for place in range(min(10, len(answer.evidence))))
    found["mrr"] = 1 / (places[0] + 1) if places else 0.0
    return found


def _means(values: Mapping[str, Sequence[float]]) -> dict[str, float]:
    means = {name: round(100 * fmean(found), 1) for name, found in values.items()}
    return {"questions": len(values["mrr"]), **means}
