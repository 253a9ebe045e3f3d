"""The words of a text as a search index counts them: folded, without those that say nothing, and stemmed."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator
from functools import lru_cache
from threading import Lock

import snowballstemmer

from core.english.terms import terms
from core.normal_forms import normal_form

# Scripts that put no spaces between words; there, every two neighbouring characters are one lexeme.
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\u0e00-\u0e7f]+")

# Shorter words are lengthened to too many others.
MIN_NEAR_CHARACTERS = 5

_english = snowballstemmer.stemmer("english")
_one_at_a_time = Lock()


def lexemes(text: str) -> list[str]:
    """Return every lexeme of a text, in order and as often as it occurs.

    English is stemmed by Snowball's rules (https://snowballstem.org/algorithms/english/stemmer.html). Words of other
    languages come through those rules changed, but always in the same way, so that they are found all the same.
    """
    return [lexeme for term in terms(strip_accents(text)) for lexeme in _lexemes(term)]


def with_near_forms(words: frozenset[str], asked: Collection[str]) -> frozenset[str]:
    """Return the lexemes with those of a question that are another form of one: `drive` with `driven`.

    Snowball leaves irregular forms apart; one that the other only lengthens by two letters is taken for it.
    """
    return words | {each for each in asked if any(_is_near(each, word) for word in words)}


def _is_near(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return len(short) >= MIN_NEAR_CHARACTERS and len(long) - len(short) <= 2 and long.startswith(short)


def strip_accents(text: str) -> str:
    """Without accents: who types "cafe" looks for "café"."""
    if text.isascii():
        return text
    return "".join(mark for mark in normal_form("NFKD", text) if not unicodedata.combining(mark))


def _lexemes(term: str) -> Iterator[str]:
    if term.isascii():
        yield stem(term)
        return
    for run in _UNSPACED.findall(normal_form("NFC", term)):
        yield from (run[at : at + 2] for at in range(max(1, len(run) - 1)))
    yield from (stem(rest) for rest in _UNSPACED.sub(" ", term).split())


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """Return the Snowball stem of one lower-cased word."""
    with _one_at_a_time:  # the stemmer keeps the word that it works on
        return str(_english.stemWord(word))
