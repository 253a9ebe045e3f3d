"""What sets two statements apart that have much in common: numbers, names, relatives, denials, opposites. Pure."""

from __future__ import annotations

import re
from collections.abc import Set
from dataclasses import dataclass
from functools import cache

from core.english.lexemes import stem
from core.english.persons import COMPANIONS
from core.english.time_expressions import MONTHS, WEEKDAYS
from core.english.word_forms import other_forms
from core.text import query_terms

_NEGATION = re.compile(
    r"(?i)\b(?:not|no|never|none|neither|nor|without|cannot|stopped|quit|former|ex|nicht|nie|kein\w{0,2})\b|n['’]t\b"
)
_PAST = re.compile(r"(?i)\b(?:was|were|had|did|used to)\b")
# What is over, where the other statement may say that it is so: "had cancer", "the marriage is over".
_OVER = re.compile(r"(?i)\b(?:had|used to|was an?|ended)\b|\bover(?=\W*$)")
_WORD = re.compile(r"[a-z]+")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
# Small words that search leaves out and meaning does not, among them what makes "rent" "rent out".
_SMALL = """
    two three four five six seven eight nine ten eleven twelve hundred thousand
    before after from under up down off out away back
"""
_SMALL_WORDS = frozenset(_SMALL.split())
_PARTICLES = frozenset(["up", "down", "off", "out", "away", "back", "from"])
# Words of a denial, which is compared by itself, and of asides: "by the way".
_ASIDE_WORDS = """
    user no not never none longer more any anymore quit stop stops stopped stopping still way again also each every
    really
"""
_ASIDE = frozenset(_ASIDE_WORDS.split())
_NAME = re.compile(r"(?<=[a-z0-9,;:] )[A-Z][\w'’-]*")
# Of two statements that are alike otherwise each says one.
_OPPOSITES_LIST = """
    left right; red white black green blue; early late; first last next; short long; big small large; old new young;
    hot cold; morning afternoon evening night; north south east west; upper lower; high low; buy sell; start stop end;
    open closed; monday tuesday wednesday thursday friday saturday sunday
"""
# What is done with the same thing: "lives in Oslo", "works in Oslo".
_DEEDS_LIST = """
    live lives living; work works working; want wants; need needs; like likes love loves enjoy enjoys; prefer prefers;
    own owns; use uses
"""
_DEEDS = {form: line.split()[0] for line in _DEEDS_LIST.split(";") for form in line.split()}
_WISHES = frozenset(["want", "need"])
_RELATIVE = re.compile(
    rf"\b(?:{COMPANIONS}|kid|child|baby|boss|flatmate|roommate|stepson|stepdaughter|teacher|landlord|landlady)\b"
)


def details_agree(one: str, other: str) -> bool:
    """Return whether nothing sets two statements apart: numbers and small words, of which one may name more, names,
    relatives, denials and what is over."""
    mine, theirs = StatementSigns.of(one), StatementSigns.of(other)
    if mine.is_denied != theirs.is_denied or not is_nested(mine.amounts, theirs.amounts):
        return False
    if bool(_OVER.search(one)) != bool(_OVER.search(other)):
        return False
    if not _deeds_agree(one, other) or _are_opposed(families(one), families(other)):
        return False
    return is_nested(_names(one), _names(other)) and _relatives(one) == _relatives(other)


@dataclass(frozen=True, slots=True)
class StatementSigns:
    """What must agree to the letter where two statements say the same."""

    numbers: Set[str]
    small_words: Set[str]
    is_denied: bool
    is_past: bool

    @classmethod
    def of(cls, text: str) -> StatementSigns:
        """Read the signs of a statement."""
        return cls(
            set(_NUMBER.findall(text)),
            _SMALL_WORDS & set(_WORD.findall(text.lower())),
            _NEGATION.search(text) is not None,
            _PAST.search(text) is not None,
        )

    @property
    def amounts(self) -> Set[str]:
        """The numbers, and the small words without those that go with a verb."""
        return self.numbers | (self.small_words - _PARTICLES)


def families(text: str) -> frozenset[str]:
    """Return the words of a statement, each for all that say the same, without those of denials and asides."""
    return frozenset(family(term) for term in query_terms(text) if term not in _ASIDE)


def family(word: str) -> str:
    """Return one stem for all words that say the same as a lower-cased one."""
    return min(stem(each) for each in (word, *other_forms(word)))


def is_nested(mine: Set[str], theirs: Set[str]) -> bool:
    """Return whether one of them has all of the other."""
    return mine <= theirs or theirs <= mine


def _deeds_agree(one: str, other: str) -> bool:
    """Return whether the deeds are the same; one may leave out its own, as "home is in Oslo" does, but no wish."""
    mine, theirs = _deeds(one), _deeds(other)
    return mine == theirs or (not (mine and theirs) and not (mine | theirs) & _WISHES)


def _deeds(text: str) -> frozenset[str]:
    return frozenset(_DEEDS[word] for word in _WORD.findall(text.lower()) if word in _DEEDS)


def _are_opposed(mine: Set[str], theirs: Set[str]) -> bool:
    return any((mine - theirs) & line and (theirs - mine) & line for line in _opposites())


@cache
def _opposites() -> list[frozenset[str]]:
    return [frozenset(map(family, line.split())) for line in _OPPOSITES_LIST.split(";")]


def adds_name(text: str, *, known: str) -> bool:
    """Return whether a text names what another one does not, or begins with a word that it does not have."""
    begin = frozenset(map(family, query_terms(text.partition(" ")[0])))
    return bool((_names(text) | begin) - families(known) - _dates())


@cache
def _dates() -> frozenset[str]:
    return frozenset(map(family, (*MONTHS, *WEEKDAYS)))


def _names(text: str) -> frozenset[str]:
    return frozenset(family(name.lower()) for name in _NAME.findall(text) if query_terms(name))


def _relatives(text: str) -> frozenset[str]:
    return frozenset(map(family, _RELATIVE.findall(text.lower())))
