"""Names in a question, by how they are written. Pure; English."""

from __future__ import annotations

import re

from core.english.time_expressions import MONTHS, SEASONS, WEEKDAYS

# A capital inside of a sentence makes a name in English; other languages write every noun with one.
_NAME = re.compile(r"(?<![.?!:\"“] )(?<!^)\b[A-Z][a-z]{2,}\b")
_ENGLISH = re.compile(
    r"\b(?:what|when|where|which|who|why|how|did|does|do|has|have|are|is|can|could|the|my|i|of|and)\b", re.IGNORECASE
)
_FEASTS = ("christmas", "easter", "halloween", "thanksgiving", "hanukkah", "ramadan", "diwali", "new", "year")
_NO_NAMES = frozenset([*MONTHS, *WEEKDAYS, *SEASONS, *_FEASTS])
MAX_CAPITALS = 0.5  # of the words; beyond, a text is a heading, in which capitals make no names


def question_names(text: str) -> list[str]:
    """Return the words of an English question that are written like names."""
    words = text.split()
    capitals = sum(word[:1].isupper() for word in words[1:])
    if capitals > MAX_CAPITALS * len(words) or not _ENGLISH.search(text):
        return []
    return [name for name in _NAME.findall(text) if name.lower() not in _NO_NAMES]
