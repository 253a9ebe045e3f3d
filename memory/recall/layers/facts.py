"""Layer of the facts of the workspace, every one of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import starmap
from typing import Any

from memory.models import Kind
from memory.recall.budget import Item
from memory.recall.context_items import MEMORY_COLUMNS, NodeRow, memory_item
from memory.recall.layers.base import ERASED, KeptItem, Layer, Lines, Recall
from memory.recall.layers.past_lines import past_memory_lines
from memory.recall.layers.past_rows import rewind_rows
from memory.recall.recallable_nodes import RecallableNodes
from workspaces.access.callers import Caller

FACTS_HEADING = "Facts of this workspace. They are authoritative; never contradict them:"
AUTHORITATIVE = "authoritative"
FACTS = RecallableNodes(
    lambda moments, nodes, _: (
        moments.of_kind(nodes, Kind.FACT).order_by("-importance_score", "id").values_list(*MEMORY_COLUMNS)
    )
)


class FactsLayer(Layer):
    """Every fact, found or not; a fact that the query found says so."""

    name = "facts"
    heading = FACTS_HEADING
    asks_hits = True
    gone = ERASED
    is_protected = True

    def prefetch(self, recall: Recall) -> Sequence[Any]:
        def read() -> list[NodeRow]:
            with recall.scope():
                moments = recall.request.moments
                rows = FACTS.rows(recall.caller, moments)
                found = rewind_rows(recall.caller, [*starmap(NodeRow, rows)], moments.until)
                recall.note_replacements([fact.id for fact in found])
                return found

        return recall.run(self.name, read)

    def gather(self, recall: Recall) -> Sequence[Item]:
        found = {hit.node.id: hit for hit in recall.hits}
        items = []
        for fact in recall.prefetched[self.name]:
            hit = found.get(fact.id)
            reason = f"{AUTHORITATIVE}, {hit.reason}" if hit else AUTHORITATIVE
            items.append(memory_item(fact, reason, hit.found.score if hit else 0.0, since=recall.since.get(fact.id)))
        return items

    def rewrite(self, reader: Caller, kept: Sequence[KeptItem]) -> Sequence[Iterable[Lines]]:
        return past_memory_lines(reader, kept)
