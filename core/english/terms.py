"""The words of a question that are worth looking up."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.english.unspaced_scripts import pairs, split_runs
from core.normal_forms import normal_form

MAX_TERMS = 32

# A decimal number is one term; otherwise runs of letters and digits, with what follows an apostrophe set apart.
_WORD = re.compile(r"(\d+(?:[.,]\d+)+(?![^\W_]))|([^\W_]+)(?:['’]([^\W_]+))?")

# What follows an apostrophe in English without being a word of its own; "o'brien" keeps both halves.
_ENDINGS = frozenset({"s", "d", "m", "t", "ll", "re", "ve"})

# Snowball's English stop list, without its contractions: https://snowballstem.org/algorithms/english/stop.txt
_STOP_LIST = """
    i me my myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers
    herself it its itself they them their theirs themselves what which who whom this that these those am is are was
    were be been being have has had having do does did doing would should could ought a an the and but if or because
    as until while of at by for with about against between into through during before after above below to from up
    down in out on off over under again further then once here there when where why how all any both each few more
    most other some such no nor not only own same so than too very will can just
"""
_STOP_WORDS = frozenset(_STOP_LIST.split())


def query_terms(text: str) -> tuple[str, ...]:
    """Return the distinct lower-cased words and numbers of a question without stop words, in order, at most
    `MAX_TERMS`; of scripts without spaces every two neighbouring characters."""
    found: dict[str, None] = {}
    for term in terms(text) if text.isascii() else _terms_of_every_script(text):
        found[term] = None
        if len(found) == MAX_TERMS:
            break
    return tuple(found)


def _terms_of_every_script(text: str) -> Iterator[str]:
    for part, is_run in split_runs(normal_form("NFC", text)):
        yield from pairs(part) if is_run else terms(part)


def terms(text: str) -> Iterator[str]:
    """Yield the lower-cased words and numbers of a text without stop words, in order, as often as they occur."""
    for match in _WORD.finditer(normal_form("NFC", text).lower()):
        yield from _terms(number=match[1], word=match[2], ending=match[3])


def _terms(*, number: str | None, word: str | None, ending: str | None) -> list[str]:
    if ending == "t" and word and word.endswith("n"):  # don't, can't, won't: stop words, all of them
        return []
    candidates = (number, word, None if ending in _ENDINGS else ending)
    return [term for term in candidates if term and term not in _STOP_WORDS]
