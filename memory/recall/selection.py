"""What of the things that were recalled may be in a context at all: each once, and what bears on the query. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memory.recall.budget import BY_WORTH, Block, Dropped, Item

LOW_CONFIDENCE = "low_confidence"
REPEATED = "repeated"
# Of the same words the block that stands first here keeps them.
PRECEDENCE = ("facts", "memories", "statements", "messages", "nodes")
# A text that begins or ends with another one is the same when that is this fraction of it.
MOSTLY = 0.8
# Characters that are compared. A context shows no more of most, and a stored text may have a hundred thousand.
COMPARED = 600


def comparable(text: str) -> str:
    """Return the beginning of a text as it is compared: without case and white space."""
    return " ".join(text[:COMPARED].casefold().split())


def select(blocks: Sequence[Block], *, min_confidence: float) -> tuple[list[Block], list[Dropped]]:
    """Return the blocks with what may be in a context, and what may not with its reason."""
    dropped = [*_find_improbable(blocks, min_confidence), *_find_repetitions(blocks)]
    refused = {id(each.item) for each in dropped}
    kept = [replace(block, items=[item for item in block.items if id(item) not in refused]) for block in blocks]
    return kept, list({id(each.item): each for each in dropped}.values())


def _find_improbable(blocks: Sequence[Block], least: float) -> list[Dropped]:
    return [
        Dropped(item, LOW_CONFIDENCE)
        for block in blocks
        if not block.is_protected
        for item in block.items
        if item.tier == BY_WORTH and item.confidence is not None and item.confidence < least
    ]


def _find_repetitions(blocks: Sequence[Block]) -> list[Dropped]:
    named = {block.name: block for block in blocks}
    known: set[str] = set()
    short: list[str] = []  # of blocks that are not facts, of which there may be a thousand
    found = []
    for name in PRECEDENCE:
        new: list[str] = []
        for item in named[name].items if name in named else ():
            if item.words and (item.words in known or _holds_one(item, short)):
                found.append(Dropped(item, REPEATED))
            elif item.words:
                known.add(item.words)
                new.append(item.words)
        short += new if name != "facts" else []
    return found


def _holds_one(item: Item, others: Sequence[str]) -> bool:
    words = item.words
    return any(
        len(other) >= MOSTLY * len(words) and (words.startswith(other) or words.endswith(other)) for other in others
    )
