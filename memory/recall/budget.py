"""Fitting recalled items into a token budget. Pure: the token counter is passed in."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from typing import Any

OVER_BUDGET = "over_budget"
# How a line of a passage begins where something was left out before it.
GAP = "  … "
# Tiers of items: what a context always holds, as far as there is room, and what is in for its worth.
PROMISED, BY_WORTH = 0, 1
PASSES = 3  # over what has found no room so far, each with the finished text counted


class LineForm(StrEnum):
    """How an item is read: as the first of its passage, as one that goes on with it, or behind a gap in it."""

    OPENING = "opening"
    LINE = "line"
    BEHIND_GAP = "behind_gap"


@dataclass(frozen=True, slots=True)
class Item:
    """One recalled thing: its line in the text, why it was recalled, its source and author.

    `score` in 0 to 1 is what the item is worth next to others of its tier. `confidence` is the probability that it
    bears on the query, None where that is not asked; `raw_confidence` is the same before recalibration, where there was
    one. The first item of a `passage` is read as its `opening`, so that the passage says its mark and its date once,
    others as their `line`. `words` are what it says, as texts are compared (`memory.recall.selection`). `provenance` is
    who stands behind a line that does not say it itself and `day` when that was said (YYYY-MM-DD), `place` where it
    stands in its session. `asked` is in short
    the question that it answers, which comes in with it and is read before it wherever it is not an item of its own.
    `is_guidance` says that it is in because it may apply to any request, and not for what it says of this one;
    `is_of_nearest` that its confidence is for being the nearest of few, and hardly for its words.
    `parts` are what its lines are made of in addition to what is stored, so that they can be written again.
    """

    id: str
    line: str
    reason: str
    score: float = 1.0
    source: str = ""
    author: str = ""
    tier: int = BY_WORTH
    confidence: float | None = None
    opening: str = ""
    passage: str = ""
    words: str = ""
    provenance: str = ""
    day: str = ""
    place: int | None = None
    raw_confidence: float | None = None
    asked: Item | None = None
    is_guidance: bool = False
    is_of_nearest: bool = False
    parts: Mapping[str, Any] = field(default_factory=dict, compare=False)


@dataclass(frozen=True, slots=True)
class Dropped:
    """An item that is not in the text, and why."""

    item: Item
    reason: str


@dataclass(frozen=True, slots=True)
class Block:
    """Items under one heading, in the order in which they are read. A protected block is complete whatever the budget
    says.
    """

    name: str
    heading: str
    items: Sequence[Item]
    is_protected: bool = False


@dataclass(frozen=True, slots=True)
class Filled:
    """A block as it came out: the items that found room, their text and its tokens, and how each item is read."""

    name: str
    text: str
    tokens: int
    items: Sequence[Item]
    heading: str = ""
    forms: Sequence[LineForm] = ()


@dataclass(frozen=True, slots=True)
class Assembled:
    """The text and what it is made of. `tokens_used` counts the whole text; `dropped` found no room."""

    text: str
    blocks: Sequence[Filled]
    tokens_used: int
    dropped: Sequence[Dropped]
    is_over_budget: bool


@dataclass(slots=True)
class _Choice:
    """What is in so far, in the order of choosing, so that the last ones in are the first ones out."""

    chosen: list[tuple[Block, Item]] = field(default_factory=list)
    inside: set[int] = field(default_factory=set)
    ids: set[str] = field(default_factory=set)
    passages: set[str] = field(default_factory=set)
    begun: set[int] = field(default_factory=set)

    def has(self, item: Item) -> bool:
        return id(item) in self.inside

    def add(self, block: Block, item: Item) -> None:
        self.chosen.append((block, item))
        self.inside.add(id(item))
        self.ids.add(item.id)
        self.passages.add(item.passage)
        self.begun.add(id(block))

    def take_back(self) -> None:
        _, item = self.chosen.pop()
        self.inside.remove(id(item))
        self.ids.discard(item.id)

    def with_question(self, item: Item) -> list[Item]:
        """Return what is read where an item comes in: the question that it answers, unless that is in, and itself."""
        return [item.asked, item] if item.asked and item.asked.id not in self.ids else [item]


def assemble(blocks: Sequence[Block], *, budget: int, count: Callable[[str], int]) -> Assembled:
    """Choose items and write the text, in the order of `blocks`.

    Promised items come in first, then what is worth most, of whatever block. Never over `budget` tokens unless
    protected blocks alone are; then `is_over_budget` says so and nothing else is in. Tokens of a whole differ a little
    from the sum of its parts, so the finished text is counted once more and the last chosen items leave until it fits.
    """
    count = cache(count)  # the finished text is asked for more than once, and a thousand facts take 50 ms
    choice = _Choice()
    for block in blocks:
        if block.is_protected:
            for item in block.items:
                choice.add(block, item)
    protected = len(choice.chosen)
    wanted = [(block, item) for block in blocks if not block.is_protected for item in block.items]
    wanted.sort(key=lambda pair: (pair[1].tier, -pair[1].score))
    for _ in range(PASSES):
        before = len(choice.chosen)
        _fill(choice, wanted, budget - count(_text(blocks, choice)), count)
        if len(choice.chosen) == before:
            break
    text = _text(blocks, choice)
    while count(text) > budget and len(choice.chosen) > protected:
        choice.take_back()
        text = _text(blocks, choice)
    return _build_result(text, blocks, choice, budget, count)


def _fill(choice: _Choice, wanted: Sequence[tuple[Block, Item]], room: int, count: Callable[[str], int]) -> None:
    """Take in what fits, in the order in which it is wanted."""
    for block, item in wanted:
        if room <= 0:  # nothing fits, whatever it costs: facts alone may fill the budget
            break
        if choice.has(item):
            continue
        first, *others = choice.with_question(item)
        line = first.line if item.passage in choice.passages else first.opening or first.line
        lines = "".join(f"{each}\n" for each in (line, *(other.line for other in others)))
        cost = count(lines) + (0 if id(block) in choice.begun else count(f"{block.heading}\n\n"))
        if cost <= room:
            choice.add(block, item)
            room -= cost


def write_line(opening: str, line: str, form: LineForm) -> str:
    """Return an item as it is read in a context."""
    if form == LineForm.OPENING:
        return opening or line
    return f"{GAP}{line.lstrip()}" if form == LineForm.BEHIND_GAP else line


def write_block(heading: str, lines: Sequence[str]) -> str:
    """Return lines under their heading; '' where there are none."""
    return "\n".join([heading, *lines]) if lines else ""


def write_text(blocks: Sequence[str]) -> str:
    """Return the text of a context from the texts of its blocks."""
    return "\n\n".join(block for block in blocks if block)


def _text(blocks: Sequence[Block], choice: _Choice) -> str:
    return write_text([_block_text(block, choice) for block in blocks])


def _block_text(block: Block, choice: _Choice) -> str:
    read = _forms(_read_items(block, choice))
    return write_block(block.heading, [write_line(item.opening, item.line, form) for item, form in read])


def _forms(items: Sequence[Item]) -> Iterator[tuple[Item, LineForm]]:
    passage, place = "", None
    for item in items:
        goes_on = item.passage == passage or not item.opening
        is_gap = goes_on and item.place is not None and place is not None and item.place - place > 1
        yield item, LineForm.BEHIND_GAP if is_gap else LineForm.LINE if goes_on else LineForm.OPENING
        passage, place = item.passage, item.place


def _read_items(block: Block, choice: _Choice) -> list[Item]:
    return [each for item in block.items if choice.has(item) for each in choice.with_question(item)]


def _build_result(
    text: str, blocks: Sequence[Block], choice: _Choice, budget: int, count: Callable[[str], int]
) -> Assembled:
    filled = []
    for block in blocks:
        if part := _block_text(block, choice):
            items = _read_items(block, choice)
            forms = [form for _, form in _forms(items)]
            filled.append(Filled(block.name, part, count(part), items, block.heading, forms))
    used = count(text)
    shown = {id(block): {item.id for item in _read_items(block, choice)} for block in blocks}
    dropped = [
        Dropped(item, OVER_BUDGET)
        for block in blocks
        for item in block.items
        if not choice.has(item) and item.id not in shown[id(block)]
    ]
    return Assembled(text, filled, used, dropped, is_over_budget=used > budget)
