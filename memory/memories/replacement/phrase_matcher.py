"""Words as they are compared, and tables of phrases to find among them. Pure; English."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Generic, TypeVar

from core.english.lexemes import stem
from memory.memories.replacement.event_lexicon import IRREGULAR

Key = TypeVar("Key")
_IRREGULAR = {
    form: line.split(":")[1]
    for line in re.findall(r"[^:]+:[\w-]+", " ".join(IRREGULAR.split()))
    for form in line.split(":")[0].split()
}
# Forms such as "gave" that are verbs by their looks.
_NOUN_FORMS = """
    mum mom mother dad father children wives men women feet teeth favorite color e-mail program license won't wedding
    weddings lives
"""
IRREGULAR_FORMS = frozenset(_IRREGULAR) - frozenset(_NOUN_FORMS.split())
_UNCHANGED = frozenset({"wedding", "going", "evening", "morning"})


@lru_cache(maxsize=16_384)
def lemma(word: str) -> str:
    """Return the form by which words are compared: "moved" and "moving" are one word, "gave" and "give" as well."""
    plain = word.lower().strip("'")
    known = _IRREGULAR.get(plain, plain)
    return known if not known.isalpha() or known in _UNCHANGED else stem(known)


def lemmas(words: str) -> frozenset[str]:
    """Return the words of a list as they are compared."""
    return frozenset(lemma(word) for word in words.split())


class Phrases(Generic[Key]):
    """A table of phrases, found in a sequence of compared words."""

    def __init__(self, table: Mapping[Key, Iterable[str]]) -> None:
        self._plain: dict[tuple[str, ...], list[Key]] = {}
        self._gapped: list[tuple[re.Pattern[str], Key]] = []
        for key, phrases in table.items():
            for phrase in phrases:
                parts = [part if part == "~" else lemma(part) for part in phrase.split("_") if part]
                if "~" in parts:
                    pattern = " ".join(parts).replace(" ~ ", "(?: [^ .,;:]+){0,4} ").replace("~ ", "")
                    pattern = re.sub(r"(?<!\))(?<!^)\. ", " ", pattern)
                    self._gapped.append((re.compile(rf"(?<= ){pattern}(?= )"), key))
                else:
                    self._plain.setdefault(tuple(parts), []).append(key)
        self._longest = max((len(parts) for parts in self._plain), default=1)

    def has_word(self, word: str) -> bool:
        """Return whether one word alone is a phrase of the table."""
        return (word,) in self._plain

    def find(self, words: Sequence[str]) -> list[tuple[Key, int]]:
        """Return key and last place of every phrase in the words; the first of one with a gap."""
        found: list[tuple[Key, int]] = []
        for at in range(len(words)):
            for length in range(1, min(self._longest, len(words) - at) + 1):
                found += [(key, at + length - 1) for key in self._plain.get(tuple(words[at : at + length]), ())]
        joined = f" {' '.join(words)} "
        for pattern, key in self._gapped:
            if hit := pattern.search(joined):
                found.append((key, joined[: hit.start()].count(" ") - 1))
        return found


def read_lines(table: str) -> dict[tuple[int, int], list[str]]:
    """Return the phrases of a table by line and side."""
    lines = [line for line in table.strip().splitlines() if "|" in line]
    return {
        (number, side): words.split() for number, line in enumerate(lines) for side, words in enumerate(line.split("|"))
    }
