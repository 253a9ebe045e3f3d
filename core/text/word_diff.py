"""Word diff of two texts: which words both have, and which only one of them. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

# Of longer texts only the beginning is compared.
MAX_WORDS = 400
# Pairs of equal words: of two ordinary texts of 400 words there are some 3,000. Comparing takes their number times that
# of the words, so that texts of a few words over and over would take seconds.
MAX_PAIRS = 16_000
# A word with the space behind it: spaces by themselves would all be equal.
_TOKEN = re.compile(r"(?:\w+|[^\w\s])\s*")


@dataclass(frozen=True, slots=True)
class DiffPart:
    """A stretch of text. `mark` is empty where both texts have it, `added` or `removed` otherwise."""

    text: str
    mark: str = ""


# Of texts that share less, a diff reads worse than the text itself.
MIN_SHARE = 0.4


def compare_words(old: str, new: str) -> list[DiffPart]:
    """Return `new` in parts, with what only `old` has between them, in order; nothing where they share too little, or
    repeat themselves too much."""
    before, after = _words(old), _words(new)
    if _count_pairs(before, after) > MAX_PAIRS:
        return []
    parts = list(_parts(before, after))
    common = sum(len(part.text.split()) for part in parts if not part.mark)
    return parts if common >= MIN_SHARE * max(len(old.split()), len(new.split())) else []


def _words(text: str) -> list[str]:
    return _TOKEN.findall(text.strip())[:MAX_WORDS]


def _count_pairs(old: list[str], new: list[str]) -> int:
    counts = Counter(map(_key, new))
    return sum(counts[_key(word)] for word in old)


def _key(word: str) -> str:
    return word.strip().casefold()


def _parts(old: list[str], new: list[str]) -> Iterator[DiffPart]:
    keys = [_key(word) for word in old], [_key(word) for word in new]
    for kind, i1, i2, j1, j2 in SequenceMatcher(None, *keys, autojunk=False).get_opcodes():
        if kind == "equal":
            yield DiffPart("".join(new[j1:j2]))
            continue
        removed, added = "".join(old[i1:i2]), "".join(new[j1:j2])
        space = _space_behind(added)
        if removed and added and _space_behind(removed) == space:  # of a word in the place of another
            yield DiffPart(removed.rstrip(), "removed")
            yield DiffPart(added.rstrip(), "added")
            if space:
                yield DiffPart(space)
            continue
        if removed:
            yield DiffPart(removed, "removed")
        if added:
            yield DiffPart(added, "added")


def _space_behind(text: str) -> str:
    return text[len(text.rstrip()) :]
