"""How likely two nodes are one thing. Pure: two descriptions in, a score and its reasons out.

The weights are judgements, not measurements: each is the chance that two nodes of one type are the same thing when
nothing but that speaks for it. Independent evidence adds up as 1 - Π(1 - weight).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from ontology.matching.name_forms import are_told_apart, differ_by_a_letter, is_abbreviation, words_key

SAME_NAME = 0.8
ALIAS = 0.75
SAME_WORDS = 0.7
INITIALS = 0.55
SIMILAR_NAME = 0.6
NEAR_VECTOR = 0.6
SHARED_NEIGHBOURS = 0.4
# Between two names of different types: a person and a company called Ford.
OTHER_TYPE = 0.6

MIN_SCORE = 0.5
MIN_NAME_RATIO = 0.85
# Short texts have a cosine of about 0.85 with the bundled model when they are merely of one kind.
MIN_COSINE, SURE_COSINE = 0.88, 0.98

_NUMBERS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Described:
    """What is compared of a node: names in the form of `name_key`, and how many neighbours it has."""

    type: str
    name: str
    aliases: frozenset[str] = frozenset()
    degree: int = 0


@dataclass(frozen=True, slots=True)
class Similarity:
    """`score` is 0 to 1; reasons are `name`, `alias`, `same_words`, `initials`, `similar_name`, `vector` and
    `neighbours`, with their weights."""

    score: float
    reasons: Sequence[tuple[str, float]] = field(default=())

    @property
    def is_worth_a_look(self) -> bool:
        return self.score >= MIN_SCORE


def similarity(one: Described, other: Described, *, cosine: float | None = None, shared: int = 0) -> Similarity:
    """Weigh what speaks for two nodes being one thing; `shared` counts the neighbours that they have in common."""
    weights = {
        "name": SAME_NAME if one.name and one.name == other.name else 0.0,
        "alias": ALIAS if _is_alias(one, other) else 0.0,
        **_alike_names(one.name, other.name),
        "vector": _near(one, other, cosine),
        "neighbours": SHARED_NEIGHBOURS * min(1.0, shared / max(1, min(one.degree, other.degree))),
    }
    chance_of_none = 1.0
    for weight in weights.values():
        chance_of_none *= 1 - weight
    score = (1 - chance_of_none) * (1.0 if one.type.casefold() == other.type.casefold() else OTHER_TYPE)
    # Common neighbours alone say that two things belong together, not that they are one.
    if not any(weight for reason, weight in weights.items() if reason != "neighbours"):
        score = 0.0
    reasons = sorted(((reason, round(weight, 3)) for reason, weight in weights.items() if weight), key=lambda r: -r[1])
    return Similarity(round(score, 3), tuple(reasons))


def _is_alias(one: Described, other: Described) -> bool:
    return one.name in other.aliases or other.name in one.aliases or not one.aliases.isdisjoint(other.aliases)


def _alike_names(one: str, other: str) -> dict[str, float]:
    """Return the weight of the strongest way in which two names that differ are alike; each says what the next says."""
    if not one or not other or one == other or not _have_the_same_numbers(one, other):
        return {}
    if words_key(one) == words_key(other):
        return {"same_words": SAME_WORDS}
    if is_abbreviation(one, other):
        return {"initials": INITIALS}
    ratio = SequenceMatcher(None, one, other, autojunk=False).ratio()
    is_similar = ratio >= MIN_NAME_RATIO and not are_told_apart(one, other)
    return {"similar_name": SIMILAR_NAME * ratio} if is_similar else {}


def _near(one: Described, other: Described, cosine: float | None) -> float:
    if cosine is None or cosine < MIN_COSINE or not _have_the_same_numbers(one.name, other.name):
        return 0.0
    if differ_by_a_letter(one.name, other.name):
        return 0.0
    return NEAR_VECTOR * min(1.0, (cosine - MIN_COSINE) / (SURE_COSINE - MIN_COSINE))


def _have_the_same_numbers(one: str, other: str) -> bool:
    """Numbers tell things apart that are otherwise called alike: "room 7" and "room 8"."""
    return _NUMBERS.findall(one) == _NUMBERS.findall(other)
