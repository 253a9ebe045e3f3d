"""Word diff of two texts: which words both have, and which only one of them. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

# Of longer texts only the beginning is compared.
MAX_WORDS = 400
_TOKEN = re.compile(r"\s+|\w+|[^\w\s]")


@dataclass(frozen=True, slots=True)
class DiffPart:
    """A stretch of text. `mark` is empty where both texts have it, `added` or `removed` otherwise."""

    text: str
    mark: str = ""


# Of texts that share less, a diff reads worse than the text itself.
MIN_SHARE = 0.4


def compare_words(old: str, new: str) -> list[DiffPart]:
    """Return `new` in parts, with what only `old` has between them, in order; nothing where they share too little."""
    parts = list(_parts(_words(old), _words(new)))
    common = sum(len(part.text.split()) for part in parts if not part.mark)
    return parts if common >= MIN_SHARE * max(len(old.split()), len(new.split())) else []


def _words(text: str) -> list[str]:
    return _TOKEN.findall(text)[: 2 * MAX_WORDS]


def _parts(old: list[str], new: list[str]) -> Iterator[DiffPart]:
    keys = [word.casefold() for word in old], [word.casefold() for word in new]
    for kind, i1, i2, j1, j2 in SequenceMatcher(None, *keys, autojunk=False).get_opcodes():
        if kind == "equal":
            yield DiffPart("".join(new[j1:j2]))
            continue
        if i2 > i1:
            yield DiffPart("".join(old[i1:i2]), "removed")
        if j2 > j1:
            yield DiffPart("".join(new[j1:j2]), "added")
