"""When two statements say the same. Pure: two texts and the cosine of their vectors in, a decision out.

A wrong merge loses a statement, a missed one only leaves two rows; so every doubt is decided against merging.
"""

from __future__ import annotations

import re
from collections.abc import Set

from core.english.lexemes import stem
from core.english.stated_details import StatementSigns, details_agree, families, family, is_nested
from core.text import normalise, query_terms

MIN_OVERLAP = 0.3
# How far apart two vectors may be, 1 − cosine, times the number of distinct words: one changed word moves the vector of
# a long statement less than that of a short one. Measured with the bundled model on the pairs of
# tests/memory/test_extraction_likeness.py. Where one statement only adds words, pairs that say the same lie up to 0.14
# apart and others from 0.19; where each has a word of its own, up to 0.04 and from 0.10.
FARTHEST_ADDING = 0.15
FARTHEST_DIFFERING = 0.06

# How near the vectors are of two statements with the same telling words but one, of two of which one adds words, and
# of those that share a single word.
NEAR, NEAR_ADDING, NEAR_OF_ONE = 0.9, 0.85, 0.93

# Words that carry a statement and say nothing of their own: "is called", "the name is".
_LIGHT = """
    name named call called have has own owns keep keeps get gets be being live lives living work works working job
    use uses using like likes love loves enjoy enjoys prefer prefers really very always often user home house person
    want wants go goes going do does currently now suffer suffers
"""
_LIGHT_STEMS = frozenset(stem(word) for word in _LIGHT.split())
_LIGHT_FAMILIES = frozenset(map(family, _LIGHT.split()))
# "From Oslo to Bergen", "tea rather than coffee".
_LEADS_ON = re.compile(r"(?i)\b(?:to|from|than|over|by|owes?|invit\w{0,3})\b")


def say_the_same(one: str, other: str, *, cosine: float | None) -> bool:
    """Return whether the second statement says what the first one says; without vectors, only where the words agree."""
    if normalise(one) == normalise(other):
        return True
    mine, theirs = _terms(one), _terms(other)
    if cosine is None:
        return mine == theirs and could_say_the_same(one, other)
    is_adding = set(mine) <= set(theirs) or set(theirs) <= set(mine)
    distance = (1 - cosine) * len({*mine, *theirs})
    return distance <= (FARTHEST_ADDING if is_adding else FARTHEST_DIFFERING) and could_say_the_same(one, other)


def could_say_the_same(one: str, other: str) -> bool:
    """Return whether the words alone allow it: enough in common, in the same order, and no sign that they differ."""
    mine, theirs = _terms(one), _terms(other)
    shared = [term for term in mine if term in theirs]
    if not shared or len(shared) < MIN_OVERLAP * len({*mine, *theirs}):
        return False
    # "Tea rather than coffee" has the words of "coffee rather than tea".
    return shared == [term for term in theirs if term in mine] and StatementSigns.of(one) == StatementSigns.of(other)


def share_words(one: str, other: str) -> bool:
    """Return whether two statements have a telling word in common."""
    return bool(_telling(one) & _telling(other))


def is_rewording(one: str, other: str, *, cosine: float | None) -> bool:
    """Return whether the second statement may be the first in other words: looser than `say_the_same`.

    The details agree, and the telling words are the same and in one order, but for those that the second leaves out, or
    for one that each has of its own where the vectors are near each other.
    """
    mine, theirs = families(one), families(other)
    told, retold = mine - _LIGHT_FAMILIES, theirs - _LIGHT_FAMILIES
    if not (told & retold) or not details_agree(one, other) or not _is_one_order(one, other, told & retold):
        return False
    if told == retold:
        return True
    if cosine is None:
        return False
    if retold <= told:
        shared = len(mine & theirs)
        return is_nested(mine, theirs) and cosine >= (NEAR_ADDING if shared > 1 else NEAR_OF_ONE)
    if told <= retold:  # what it adds may be what matters
        return False
    return cosine >= NEAR and len(told - retold) == 1 == len(retold - told) and len(told & retold) > 1


def _is_one_order(one: str, other: str, shared: Set[str]) -> bool:
    """Return whether these words stand in one order, where both statements lead from one thing to another."""
    if not (_LEADS_ON.search(one) and _LEADS_ON.search(other)):
        return True
    told = shared - {each for each in shared if not each.isalpha()}
    mine, theirs = (
        dict.fromkeys(each for each in map(family, query_terms(text)) if each in told) for text in (one, other)
    )
    return list(mine) == list(theirs)


def _telling(text: str) -> frozenset[str]:
    return frozenset(_terms(text)) - _LIGHT_STEMS


def _terms(text: str) -> list[str]:
    return list(dict.fromkeys(stem(term) for term in query_terms(text) if term != "user"))
