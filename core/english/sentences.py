"""Where the sentences of a text end, and how they begin."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

# A sentence ends at its mark and a space, but not after "Mr.", "e.g.", "No." or a single initial.
SENTENCE_END = re.compile(
    r"(?<=[.!?…])(?<!\b[A-Z]\.)(?<!\b(?:Mr|Ms|Dr|St|vs|No)\.)(?<!\b(?:Mrs|e\.g|i\.e)\.)[\"')\]]*\s+|(?<=[。！？])"
)


def split_sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a text in their order, each on one line; a line break ends one as well."""
    for part in chain.from_iterable(SENTENCE_END.split(line) for line in text.splitlines()):
        if sentence := " ".join(part.split()):
            yield sentence


def find_sentences(text: str) -> Iterator[tuple[int, int]]:
    """Yield where each sentence of `split_sentences` begins and ends in the text."""
    start = 0
    for line, whole in zip(text.splitlines(), text.splitlines(keepends=True), strict=True):
        begin = 0
        for end, after in [*(found.span() for found in SENTENCE_END.finditer(line)), (len(line), len(line))]:
            if part := line[begin:end].strip():
                place = start + line.index(part, begin)
                yield place, place + len(part)
            begin = after
        start += len(whole)


def capitalize(text: str) -> str:
    """Return a text with a capital at its beginning; nothing else of it changes."""
    return text[:1].upper() + text[1:]
