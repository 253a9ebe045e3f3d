"""Layer of the other nodes of the ontology: those that the caller named, and those that the query finds; with edges."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from core.english.lexemes import lexemes, with_near_forms
from memory.models import Kind
from memory.recall.budget import PROMISED, Item
from memory.recall.context_items import COLUMNS, KINDS, NodeRow, edge_item, node_item
from memory.recall.layers.base import ERASED, KeptItem, Layer, Lines, Recall
from memory.recall.layers.past_lines import past_edge_lines, past_node_lines
from memory.recall.layers.past_rows import rewind_rows
from ontology.models import Edge, Node
from ontology.nodes_and_edges.edge_sentences import visible_edges
from workspaces.access.callers import Caller

NODES_HEADING = "Related things this workspace knows about:"
# How a failure of reading the named ones is reported, and one of reading edges.
NAMED, EDGES = "named", "edges"
# The number of nodes that bring their edges, of edges that are read for all of them, and of those that one brings.
MAX_NODES_WITH_EDGES, MAX_EDGES, MAX_EDGES_OF_A_NODE = 8, 60, 5


class NodesLayer(Layer):
    """Nodes that the caller named, then those that the query found; behind each what it is connected with."""

    name = "nodes"
    heading = NODES_HEADING
    asks_hits = True
    gone = ERASED

    def prefetch(self, recall: Recall) -> Sequence[Any]:
        ids = recall.request.node_ids

        def read() -> list[NodeRow]:
            with recall.scope():
                nodes = recall.request.moments.recallable(Node.objects.of(recall.caller)).filter(id__in=ids)
                found = nodes.exclude(type__in=Kind.values).order_by("id")
                rows = [*map(NodeRow._make, found.values_list(*COLUMNS))]
                return rewind_rows(recall.caller, rows, recall.request.moments.until)

        return recall.run(NAMED, read) if ids else ()

    def gather(self, recall: Recall) -> Sequence[Item]:
        named: Sequence[NodeRow] = recall.prefetched[self.name]
        items = {node.id: node_item(node, "named by the caller", tier=PROMISED) for node in named}
        for hit in recall.hits:
            if hit.node.type not in KINDS and hit.node.id not in items:
                items[hit.node.id] = node_item(
                    hit.node, hit.reason, hit.confidence, confidence=hit.confidence, raw_confidence=hit.raw_confidence
                )
        edges = _edge_items(recall, items)
        return [each for identity, item in items.items() for each in (item, *edges.get(identity, ()))]

    def rewrite(self, reader: Caller, kept: Sequence[KeptItem]) -> Sequence[Iterable[Lines]]:
        nodes = past_node_lines(reader, [item for item in kept if "node" not in item.parts])
        edges = past_edge_lines(reader, [item for item in kept if "node" in item.parts])
        return [(edges if "node" in item.parts else nodes).get(item.id, ()) for item in kept]


def _edge_items(recall: Recall, nodes: Mapping[UUID, Item]) -> Mapping[UUID, Sequence[Item]]:
    """Return the edges of the nodes that bear on the query, by the first of these that has them."""
    floor = recall.settings.min_confidence
    probable = [each for each, item in nodes.items() if item.confidence is None or item.confidence >= floor]
    asked = dict.fromkeys(probable[:MAX_NODES_WITH_EDGES])
    if not asked:
        return {}

    def read() -> list[Edge]:
        with recall.scope():
            at = recall.request.moments.valid_moment
            return visible_edges(recall.caller, list(asked), at=at, limit=MAX_EDGES)

    wanted = frozenset(lexemes(recall.query))

    def is_asked(edge: Edge) -> bool:
        return bool(wanted & with_near_forms(frozenset(lexemes(edge.type.replace("_", " "))), wanted))

    found: defaultdict[UUID, list[Item]] = defaultdict(list)
    # What the query asks for goes before what is newer: who drives a route, before the orders on it.
    for edge in sorted(recall.run(EDGES, read), key=is_asked, reverse=True):
        if {edge.source.type, edge.target.type} & KINDS:  # memories say in their own words what they are about
            continue
        node = next(each for each in asked if each in (edge.source_id, edge.target_id))
        if len(found[node]) < MAX_EDGES_OF_A_NODE:
            found[node].append(edge_item(edge, nodes[node]))
    return found
