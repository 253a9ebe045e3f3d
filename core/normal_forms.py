"""Unicode normal forms in linear time. Pure.

`unicodedata.normalize` sorts the marks of a run by insertion, and lets nothing else of the process run meanwhile:
50,000 accents on one letter take two seconds, twice as many four times as long. Texts that people write have at most a
few on a letter, and UAX #15 ("stream-safe text") allows 30.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import Literal

NormalForm = Literal["NFC", "NFD", "NFKC", "NFKD"]
MAX_MARKS = 30
# What is shorter takes no time, whatever it is.
MAX_SHORT = 500
# There are none outside of these in Unicode 16; what later versions add is looked for as well.
_FIRST, _LAST = 0x300, 0x1FFFF


def normal_form(form: NormalForm, text: str) -> str:
    """Return the text in a normal form; where letters have very many marks, of each 30 of these by themselves."""
    if len(text) <= MAX_SHORT or text.isascii() or not _has_long_runs(text):
        return unicodedata.normalize(form, text)
    parts, start = [], 0
    for run in _long_runs().finditer(text):
        for cut in range(run.start() + MAX_MARKS, run.end(), MAX_MARKS):
            parts.append(text[start:cut])
            start = cut
    return "".join(unicodedata.normalize(form, part) for part in (*parts, text[start:]))


def _has_long_runs(text: str) -> bool:
    """Return whether 31 marks begin at one of the places that are that far apart, as they do where 61 stand in a row.

    To look at each character would take longer than what most texts are normalised for.
    """
    is_run = _long_runs().match
    return any(is_run(text, place) for place in range(0, len(text), MAX_MARKS + 1))


@cache
def _long_runs() -> re.Pattern[str]:
    """Return the pattern of runs that are cut, by the version of Unicode that this Python has."""
    marks = "".join(map(re.escape, filter(_is_mark, map(chr, range(_FIRST, _LAST + 1)))))
    return re.compile(f"[{marks}]{{{MAX_MARKS + 1},}}")


def _is_mark(character: str) -> bool:
    """Return whether a character is sorted among others: one that begins, decomposed, with a combining character."""
    if "\ud800" <= character <= "\udfff" or "\uac00" <= character <= "\ud7a3":  # none of them, and very many
        return False
    return unicodedata.combining(unicodedata.normalize("NFKD", character)[0]) != 0
