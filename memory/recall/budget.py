"""Fitting recalled items into a token budget. Pure: the token counter is passed in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache

OVER_BUDGET = "over_budget"


@dataclass(frozen=True, slots=True)
class Item:
    """One recalled thing: its line in the text, why it was recalled, its score in 0 to 1, its source and author."""

    id: str
    line: str
    reason: str
    score: float = 1.0
    source: str = ""
    author: str = ""


@dataclass(frozen=True, slots=True)
class Block:
    """Items under one heading, in the order in which they are read.

    Blocks are filled by `urgency`, lowest first, and within a block by score. `share` bounds a block to that part of
    the budget as long as others want room. A `protected` block is complete whatever the budget says.
    """

    name: str
    heading: str
    items: Sequence[Item]
    urgency: int
    share: float = 1.0
    is_protected: bool = False


@dataclass(frozen=True, slots=True)
class Filled:
    """A block as it came out: the items that found room, their text and its tokens."""

    name: str
    text: str
    tokens: int
    items: Sequence[Item]


@dataclass(frozen=True, slots=True)
class Assembled:
    """The text and what it is made of. `tokens_used` counts the whole text; `dropped` found no room."""

    text: str
    blocks: Sequence[Filled]
    tokens_used: int
    dropped: Sequence[Item]
    is_over_budget: bool


@dataclass(slots=True)
class _Choice:
    """What is in so far, in the order of choosing, so that the last ones in are the first ones out."""

    chosen: list[tuple[Block, Item]] = field(default_factory=list)
    inside: set[int] = field(default_factory=set)
    begun: set[int] = field(default_factory=set)
    spent: int = 0

    def has(self, item: Item) -> bool:
        return id(item) in self.inside

    def add(self, block: Block, item: Item, cost: int) -> None:
        self.chosen.append((block, item))
        self.inside.add(id(item))
        self.begun.add(id(block))
        self.spent += cost

    def take_back(self) -> None:
        _, item = self.chosen.pop()
        self.inside.remove(id(item))


def assemble(blocks: Sequence[Block], *, budget: int, count: Callable[[str], int]) -> Assembled:
    """Choose items and write the text, in the order of `blocks`.

    Never over `budget` tokens unless protected blocks alone are; then `is_over_budget` says so and nothing else is in.
    Tokens of a whole differ a little from the sum of its parts, so the finished text is counted once more and the last
    chosen items leave until it fits.
    """
    count = cache(count)  # the finished text is asked for more than once, and a thousand facts take 50 ms
    choice = _Choice()
    for block in blocks:
        if block.is_protected:
            for item in block.items:
                choice.add(block, item, 0)
            choice.spent += count(_block_text(block, choice))
    protected = len(choice.chosen)
    for is_bounded in (True, False):
        _fill(choice, blocks, budget, count, is_bounded=is_bounded)
    text = _text(blocks, choice)
    while count(text) > budget and len(choice.chosen) > protected:
        choice.take_back()
        text = _text(blocks, choice)
    return _build_result(text, blocks, choice, budget, count)


def _fill(
    choice: _Choice, blocks: Sequence[Block], budget: int, count: Callable[[str], int], *, is_bounded: bool
) -> None:
    """One pass over the blocks: first each within its share, then whatever room is left to the items that fit."""
    for block in sorted((block for block in blocks if not block.is_protected), key=lambda block: block.urgency):
        room = (budget - choice.spent) * (block.share if is_bounded else 1.0)
        is_open = id(block) in choice.begun
        for item in sorted(block.items, key=lambda item: -item.score):
            if room <= 0:  # nothing fits, whatever it costs: facts alone may fill the budget
                break
            cost = count(f"{item.line}\n") + (0 if is_open else _cost(block, count))
            if choice.has(item) or cost > room:
                continue
            choice.add(block, item, cost)
            room, is_open = room - cost, True


def _cost(block: Block, count: Callable[[str], int]) -> int:
    return count(f"{block.heading}\n\n") if block.items else 0


def _text(blocks: Sequence[Block], choice: _Choice) -> str:
    return "\n\n".join(part for block in blocks if (part := _block_text(block, choice)))


def _block_text(block: Block, choice: _Choice) -> str:
    lines = [item.line for item in block.items if choice.has(item)]
    return "\n".join([block.heading, *lines]) if lines else ""


def _build_result(
    text: str, blocks: Sequence[Block], choice: _Choice, budget: int, count: Callable[[str], int]
) -> Assembled:
    filled = []
    for block in blocks:
        if part := _block_text(block, choice):
            items = [item for item in block.items if choice.has(item)]
            filled.append(Filled(block.name, part, count(part), items))
    used = count(text)
    dropped = [item for block in blocks for item in block.items if not choice.has(item)]
    return Assembled(text, filled, used, dropped, is_over_budget=used > budget)
