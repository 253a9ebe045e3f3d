"""Layer of the other nodes of the ontology: those that the caller named, and those that the query finds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from memory.models import Kind
from memory.recall.budget import PROMISED, Item
from memory.recall.context_items import COLUMNS, NodeRow, node_item
from memory.recall.layers.base import Layer, Recall
from ontology.models import Node

NODES_HEADING = "Related things this workspace knows about:"
# How a failure of reading the named ones is reported.
NAMED = "named"


class NodesLayer(Layer):
    """Nodes that the caller named, then those that the query found."""

    name = "nodes"
    heading = NODES_HEADING

    def prefetch(self, recall: Recall) -> Sequence[Any]:
        ids = recall.request.node_ids

        def read() -> list[NodeRow]:
            with recall.scope():
                nodes = recall.request.moments.recallable(Node.objects.of(recall.caller)).filter(id__in=ids)
                found = nodes.exclude(type__in=Kind.values).order_by("id")
                return [*map(NodeRow._make, found.values_list(*COLUMNS))]

        return recall.run(NAMED, read) if ids else ()

    def gather(self, recall: Recall) -> Sequence[Item]:
        named = recall.prefetched[self.name]
        items = [node_item(node, "named by the caller", tier=PROMISED) for node in named]
        seen = {node.id for node in named}
        for hit in recall.hits:
            if hit.node.type not in Kind.values and hit.node.id not in seen:
                items.append(node_item(hit.node, hit.reason, hit.confidence, confidence=hit.confidence))
        return items
