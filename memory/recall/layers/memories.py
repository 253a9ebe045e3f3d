"""Layer of the memories that the query finds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memory.memories.weights import context_score
from memory.models import Kind
from memory.recall.budget import Item
from memory.recall.context_items import memory_item
from memory.recall.layers.base import ERASED, KeptItem, Layer, Lines, Recall
from memory.recall.layers.past_lines import past_memory_lines
from workspaces.access.callers import Caller

MEMORIES_HEADING = "Memories that may help. Weigh them against other context:"


class MemoriesLayer(Layer):
    """Memories by relevance and weight."""

    name = "memories"
    heading = MEMORIES_HEADING
    asks_hits = True
    gone = ERASED

    def gather(self, recall: Recall) -> Sequence[Item]:
        return [
            memory_item(
                hit.node,
                hit.reason,
                context_score(relevance=hit.confidence, weight=hit.node.weight),
                confidence=hit.confidence,
                raw_confidence=hit.raw_confidence,
                is_of_nearest=hit.found.is_of_nearest,
                since=recall.since.get(hit.node.id),
            )
            for hit in recall.hits
            if hit.node.type == Kind.MEMORY
        ]

    def rewrite(self, reader: Caller, kept: Sequence[KeptItem]) -> Sequence[Iterable[Lines]]:
        return past_memory_lines(reader, kept)
