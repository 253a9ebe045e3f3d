"""Which sentences of a long text bear on a query, by its words. Pure.

Words are compared by their beginnings: to stem every word of twenty long answers would take longer than to find them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator

from core.english.sentences import SENTENCE_END

# What a sentence has of the one before it: what a heading names stands behind it.
OF_THE_ONE_BEFORE = 0.5
MIN_STEM = 3

# Of a list, which is said with what it counts.
_NUMBER = re.compile(r"^[\s#*>-]*+\d{0,3}[.)]?\s*")

# A fence of code or a rule between parts says nothing by itself.
_SAYS_SOMETHING = re.compile(r"\w")

Span = tuple[int, int]


def word_pattern(words: Collection[str]) -> re.Pattern[str] | None:
    """Return what finds words with these stems; None where there are none that say something."""
    # "happi" is the stem of "happy".
    stems = sorted({re.escape(word[:-1] if word.endswith("i") else word) for word in words if len(word) >= MIN_STEM})
    return re.compile(rf"(?i)\b(?:{'|'.join(stems)})\w{{0,4}}\b") if stems else None


def choose_sentences(text: str, words: re.Pattern[str], *, characters: int) -> list[Span]:
    """Return where the sentences stand that bear most on some words, with at most `characters` together, in order;
    nothing where none does.

    A word counts the more, the fewer of the sentences have it. What room is left goes to what stands behind the best.
    """
    sentences = [span for span in sentence_spans(text) if _SAYS_SOMETHING.search(text, *span)]
    found = [{match.casefold() for match in words.findall(text, *span)} for span in sentences]
    having = Counter(word for each in found for word in each)
    own = [sum(1 / having[word] for word in each) for each in found]
    if not any(own):
        return []
    is_heading = [text[begin] == "#" for begin, _ in sentences]
    before = [0.0, *(OF_THE_ONE_BEFORE * value for value in own)]
    worth = [value + (0.0 if is_heading[place] else before[place]) for place, value in enumerate(own)]
    ranked = sorted((place for place, value in enumerate(worth) if value), key=lambda place: (-worth[place], place))
    behind = [place + 1 for place in ranked if place + 1 < len(sentences) and not is_heading[place + 1]]
    chosen: set[int] = set()
    room = characters
    for place in [*ranked, *behind]:
        begin, end = sentences[place]
        if place not in chosen and (end - begin < room or not chosen):
            chosen.add(place)
            room -= end - begin + 1
    return [sentences[place] for place in sorted(chosen)]


def sentence_spans(text: str) -> Iterator[Span]:
    """Yield where the sentences of a text begin and end, without the white space around them."""
    begin = 0
    for line in text.splitlines(keepends=True):
        edges = [begin, *(begin + found.end() for found in SENTENCE_END.finditer(line)), begin + len(line)]
        start = begin
        for last in edges[1:]:
            said = text[start:last]
            if _NUMBER.fullmatch(said) and last != edges[-1]:
                continue
            if stripped := said.strip():
                first = start + said.index(stripped[0])
                yield first, first + len(stripped)
            start = last
        begin += len(line)
