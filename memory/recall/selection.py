"""What of the things that were recalled may be in a context at all: each once, and what bears on the query. Pure."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from core.text import encodable
from memory.recall.budget import BY_WORTH, OVER_BUDGET, Block, Dropped, Item
from memory.recall.provenance import SourceClass

LOW_CONFIDENCE = "low_confidence"
REPEATED = "repeated"
# What is less probable than this fraction of the best bears on nothing next to it; the second where an answer is spread
# over many.
OF_BEST, OF_BEST_OF_MANY = 0.008, 0.005
# The same of a statement next to the best statement: their confidences lie closer to each other.
OF_BEST_STATEMENT, OF_BEST_STATEMENT_OF_MANY = 0.05, 0.03
STATEMENTS, MEMORIES = "statements", "memories"
# Where what was said tells this much, a memory that was drawn from it and is only the nearest of few bears on nothing.
TOLD = (STATEMENTS, "messages")
TOLD_ELSEWHERE = 0.02
# More room lets in as much less probable items.
USUAL_TOKENS, USUAL_TOKENS_WITH_STATEMENTS = 2_048, 1_024
# Of the same words the block that stands first here keeps them.
PRECEDENCE = ("facts", "memories", "statements", "messages", "nodes")
# A text that begins or ends with another one is the same when that is this fraction of it.
MOSTLY = 0.8
# Characters that are compared one by one; of a longer text all others count as they are.
COMPARED = 600


def comparable(text: str) -> str:
    """Return a text as it is compared: without case and white space; what is behind its beginning as a digest."""
    beginning = " ".join(text[:COMPARED].casefold().split())
    rest = text[COMPARED:]
    return f"{beginning} #{hashlib.sha256(encodable(rest).encode()).hexdigest()}" if rest else beginning


@dataclass(frozen=True, slots=True)
class Floor:
    """What an item must have to be in a context: `min_confidence`, and a fraction of what the best one has, which is
    smaller where the answer `is_spread` over many and where there is room for more than `USUAL_TOKENS`."""

    min_confidence: float
    is_spread: bool = False
    tokens: int = 0

    def least(self, confidences: Iterable[float | None]) -> float:
        """Return the least confidence among others with these; with a `min_confidence` of 0 nothing is left out."""
        fraction = OF_BEST_OF_MANY if self.is_spread else OF_BEST
        return self._next_to_best(confidences, fraction, USUAL_TOKENS)

    def least_of_statements(self, confidences: Iterable[float | None]) -> float:
        """Return the least confidence among statements with these; with a `min_confidence` of 0 none is left out."""
        fraction = OF_BEST_STATEMENT_OF_MANY if self.is_spread else OF_BEST_STATEMENT
        return self._next_to_best(confidences, fraction, USUAL_TOKENS_WITH_STATEMENTS)

    def _next_to_best(self, confidences: Iterable[float | None], fraction: float, usual: int) -> float:
        best = max((each for each in confidences if each is not None), default=0.0)
        next_to_best = best * fraction * usual / max(self.tokens, usual)
        return max(self.min_confidence, next_to_best) if self.min_confidence else 0.0


@dataclass(frozen=True, slots=True)
class Bounds:
    """What an item of a context must have: a confidence, the same `of_statements`, and one of the `shared` words.

    `is_told` says that what was said tells what is asked for.
    """

    least: float
    of_statements: float
    shared: re.Pattern[str] | None = None
    is_told: bool = False

    def admit(self, item: Item, name: str) -> bool:
        """Return whether an item of the block with this name may be in.

        A memory that was drawn from messages says what they or their statements say, and is compared with these.
        """
        is_drawn = name == MEMORIES and item.source == SourceClass.EXTRACTION
        least = self.of_statements if name == STATEMENTS or is_drawn else self.least
        if item.confidence is not None and item.confidence < least:
            return False
        if is_drawn and item.is_of_nearest and self.is_told and self.least:
            return False
        return self.shared is None or _shares_word(item, self.shared)


def select(
    blocks: Sequence[Block], *, floor: Floor, shared: re.Pattern[str] | None = None
) -> tuple[list[Block], list[Dropped]]:
    """Return the blocks with what may be in a context, and what may not with its reason.

    Of protected blocks and of what is promised nothing is left out. Everything else has one of the words that are
    `shared`, where these are given.
    """
    optional = {block.name: [item for item in block.items if _is_optional(block, item)] for block in blocks}
    least = floor.least(item.confidence for items in optional.values() for item in items)
    of_statements = floor.least_of_statements(item.confidence for item in optional.get(STATEMENTS, ()))
    said = [item for name in TOLD for item in optional.get(name, ()) if not item.is_guidance]
    is_told = max((item.confidence or 0.0 for item in said), default=0.0) >= TOLD_ELSEWHERE
    bounds = Bounds(least, max(least, of_statements), shared, is_told=is_told)
    improbable = [each for name, items in optional.items() for each in _find_improbable(items, bounds, name)]
    probable = _remove(blocks, improbable)
    repeated = _find_repetitions(probable)
    return _remove(probable, repeated), [*improbable, *repeated]


def _remove(blocks: Sequence[Block], dropped: Sequence[Dropped]) -> list[Block]:
    refused = {id(each.item) for each in dropped}
    return [replace(block, items=[item for item in block.items if id(item) not in refused]) for block in blocks]


def _find_improbable(optional: Sequence[Item], bounds: Bounds, name: str) -> list[Dropped]:
    improbable = [Dropped(item, LOW_CONFIDENCE) for item in optional if not bounds.admit(item, name)]
    known = {id(each.item) for each in improbable}
    return [*improbable, *(Dropped(item, OVER_BUDGET) for item in optional if not item.line and id(item) not in known)]


def _find_repetitions(blocks: Sequence[Block]) -> list[Dropped]:
    named = {block.name: block for block in blocks}
    known: set[str] = set()
    short: list[str] = []  # of blocks that are not facts, of which there may be a thousand
    found = []
    for block in (named[name] for name in PRECEDENCE if name in named):
        kept = []
        for item in block.items:
            is_known = bool(item.words) and (item.words in known or _holds_one(item, short))
            if is_known and _is_optional(block, item):
                found.append(Dropped(item, REPEATED))
            elif item.words:
                known.add(item.words)
                kept.append(item.words)
        short += [] if block.is_protected else kept
    return found


def _shares_word(item: Item, words: re.Pattern[str]) -> bool:
    """Return whether an item, or the question that it answers, has one of these words."""
    return any(words.search(each.words) for each in (item, item.asked) if each)


def _is_optional(block: Block, item: Item) -> bool:
    return not block.is_protected and item.tier == BY_WORTH


def _holds_one(item: Item, others: Sequence[str]) -> bool:
    words = item.words
    return any(
        len(other) >= MOSTLY * len(words) and (words.startswith(other) or words.endswith(other)) for other in others
    )
