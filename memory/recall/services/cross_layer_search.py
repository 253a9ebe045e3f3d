"""What else bears on a query than the memories that a search found: what was said, what remains of it, other nodes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import nlargest

from memory.memories.services.memory_search import SearchResult
from memory.recall.budget import Block, Item
from memory.recall.context_items import memory_words
from memory.recall.layers import LAYERS
from memory.recall.layers.base import ContextRequest
from memory.recall.selection import select
from memory.recall.services.context import begin_recall, gather_blocks
from workspaces.access.callers import Caller, Right

# Layers that say what the query asks for; facts and memories are found by their own search, patterns warn.
RELATED = ("statements", "messages", "nodes")


@dataclass(frozen=True, slots=True)
class RelatedItem:
    """A thing of another layer that bears on a query; its line cites and dates it and says whose it is."""

    layer: str
    item: Item

    @property
    def line(self) -> str:
        return self.item.opening or self.item.line


def find_related(*, caller: Caller, wanted: ContextRequest, found: SearchResult, limit: int) -> Sequence[RelatedItem]:
    """Return at most `limit` things that bear on the query, the most probable first, each as a line that stands alone.

    Nothing below the workspace's `min_confidence`, and nothing that one of the `found` memories says in the same words.
    Raises MissingScopeError without `read`.
    """
    caller.require(Right.READ)
    recall = begin_recall(caller=caller, wanted=wanted)
    blocks = gather_blocks(recall, [layer for layer in LAYERS if layer.name in RELATED])
    known = Block("memories", "", [memory_words(hit.memory) for hit in found.hits])
    kept, _ = select([known, *blocks], floor=recall.floor)
    related = [RelatedItem(block.name, item) for block in kept if block.name in RELATED for item in block.items]
    return nlargest(limit, related, key=lambda each: each.item.score)
