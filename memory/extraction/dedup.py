"""When two statements say the same. Pure: two texts and the cosine of their vectors in, a decision out.

A wrong merge loses a statement, a missed one only leaves two rows; so every doubt is decided against merging.
"""

from __future__ import annotations

import re
from collections.abc import Set

from core.english.lexemes import stem
from core.english.word_forms import other_forms
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

_NEGATION = re.compile(r"(?i)\b(?:not|no|never|none|neither|nor|without|cannot|stopped|quit|former|ex)\b|n['’]t\b")
_PAST = re.compile(r"(?i)\b(?:was|were|had|did|used to)\b")
_WORD = re.compile(r"[a-z]+")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
# Small words that search leaves out and meaning does not, among them what makes "rent" "rent out".
_SMALL = """
    two three four five six seven eight nine ten eleven twelve hundred thousand
    before after from under up down off out away back
"""
_SMALL_WORDS = frozenset(_SMALL.split())
# Words that carry a statement and say nothing of their own: "is called", "the name is".
_LIGHT = """
    name named call called have has own owns keep keeps get gets be being live lives living work works working job
    use uses using like likes love loves enjoy enjoys prefer prefers really very always often user home house person
    want wants go goes going do does currently now
"""
_LIGHT_STEMS = frozenset(stem(word) for word in _LIGHT.split())
_LIGHT_FAMILIES = frozenset(min(stem(each) for each in (word, *other_forms(word))) for word in _LIGHT.split())
_PARTICLES = frozenset(["up", "down", "off", "out", "away", "back", "from"])
# Words of a denial, which is compared by itself, and of asides: "by the way".
_ASIDE_WORDS = """
    user no not never none longer more any anymore quit stop stops stopped stopping still way again also each every
    really
"""
_ASIDE = frozenset(_ASIDE_WORDS.split())
_NAME = re.compile(r"(?<=[a-z0-9,;:] )[A-Z][\w'’-]*")
_RELATIVE_WORDS = """
    wife husband partner girlfriend boyfriend sister brother mother mum mom father dad son daughter child kid baby
    aunt uncle cousin niece nephew grandmother grandma grandfather grandpa friend boss colleague neighbour
"""
_RELATIVES = frozenset(_RELATIVE_WORDS.split())


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
    return shared == [term for term in theirs if term in mine] and _signs(one) == _signs(other)


def share_words(one: str, other: str) -> bool:
    """Return whether two statements have a telling word in common."""
    return bool(_telling(one) & _telling(other))


def details_agree(one: str, other: str) -> bool:
    """Return whether nothing sets two statements apart: numbers and small words, of which one may name more, names,
    relatives and denials."""
    mine, theirs = _signs(one), _signs(other)
    if mine[2] != theirs[2] or not _is_nested(_amounts(mine), _amounts(theirs)):
        return False
    return _is_nested(_names(one), _names(other)) and _is_nested(_relatives(one), _relatives(other))


def is_rewording(one: str, other: str, *, cosine: float | None) -> bool:
    """Return whether the second statement may be the first in other words: looser than `say_the_same`.

    The details agree, and the telling words are the same, but for those that one adds, or for one that each has of its
    own where the vectors are near each other.
    """
    mine, theirs = _families(one), _families(other)
    told, retold = mine - _LIGHT_FAMILIES, theirs - _LIGHT_FAMILIES
    if not (told & retold) or not details_agree(one, other):
        return False
    if told == retold:
        return True
    if cosine is None:
        return False
    if _is_nested(told, retold):
        shared = len(mine & theirs)
        return _is_nested(mine, theirs) and cosine >= (NEAR_ADDING if shared > 1 else NEAR_OF_ONE)
    return cosine >= NEAR and len(told - retold) == 1 == len(retold - told) and len(told & retold) > 1


def _is_nested(mine: Set[str], theirs: Set[str]) -> bool:
    return mine <= theirs or theirs <= mine


def _amounts(signs: tuple[Set[str], Set[str], bool, bool]) -> Set[str]:
    return signs[0] | (signs[1] - _PARTICLES)


def _names(text: str) -> frozenset[str]:
    return frozenset(_family(name.lower()) for name in _NAME.findall(text))


def _relatives(text: str) -> frozenset[str]:
    return frozenset(_family(word) for word in _WORD.findall(text.lower()) if word in _RELATIVES)


def _families(text: str) -> frozenset[str]:
    """Return the words of a statement, each for all that say the same, without those of denials and asides."""
    return frozenset(_family(term) for term in query_terms(text) if term not in _ASIDE)


def _family(word: str) -> str:
    return min(stem(each) for each in (word, *other_forms(word)))


def _telling(text: str) -> frozenset[str]:
    return frozenset(_terms(text)) - _LIGHT_STEMS


def _terms(text: str) -> list[str]:
    return list(dict.fromkeys(stem(term) for term in query_terms(text) if term != "user"))


def _signs(text: str) -> tuple[Set[str], Set[str], bool, bool]:
    """Return what must agree to the letter: numbers, small words, whether something is denied, whether it is over."""
    words = set(_WORD.findall(text.lower()))
    return (
        set(_NUMBER.findall(text)),
        _SMALL_WORDS & words,
        _NEGATION.search(text) is not None,
        _PAST.search(text) is not None,
    )
