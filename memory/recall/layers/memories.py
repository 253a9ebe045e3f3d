"""Layer of the memories that the query finds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from uuid import UUID

from memory.memories.weights import context_score
from memory.models import Kind, MemorySource
from memory.recall.budget import Item
from memory.recall.context_items import memory_item
from memory.recall.layers.base import ERASED, KeptItem, Layer, Lines, Recall
from memory.recall.layers.past_lines import past_memory_lines
from workspaces.access.callers import Caller

# How a failure of reading where memories were said is reported.
SOURCES = "sources"
MEMORIES_HEADING = "Memories that may help. Weigh them against other context:"


class MemoriesLayer(Layer):
    """Memories by relevance and weight."""

    name = "memories"
    heading = MEMORIES_HEADING
    asks_hits = True
    gone = ERASED

    def gather(self, recall: Recall) -> Sequence[Item]:
        nearest = [hit.node.id for hit in recall.hits if hit.node.type == Kind.MEMORY and hit.found.is_of_nearest]
        sourced = recall.run(SOURCES, partial(_find_sourced, recall, nearest)) if nearest else ()
        return [
            memory_item(
                hit.node,
                hit.reason,
                context_score(relevance=hit.confidence, weight=hit.node.weight),
                confidence=hit.confidence,
                raw_confidence=hit.raw_confidence,
                # A conversation that was deleted leaves its memories, which count as notes then.
                is_of_nearest=hit.node.id in sourced,
                since=recall.since.get(hit.node.id),
            )
            for hit in recall.hits
            if hit.node.type == Kind.MEMORY
        ]

    def rewrite(self, reader: Caller, kept: Sequence[KeptItem]) -> Sequence[Iterable[Lines]]:
        return past_memory_lines(reader, kept)


def _find_sourced(recall: Recall, ids: Sequence[UUID]) -> Sequence[UUID]:
    """Return those of the memories that were said in a conversation which is still there."""
    with recall.scope():
        return list(MemorySource.objects.of(recall.caller).filter(memory__in=ids).values_list("memory", flat=True))
