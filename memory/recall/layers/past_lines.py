"""Lines of memories, nodes and edges as they may have been read before: one for each version that is in the history."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from datetime import date
from functools import partial
from itertools import islice, product, starmap

from core.ids import parse_id
from memory.memories.history.past_state import MemoryState
from memory.memories.history.selectors import memory_versions
from memory.recall.context_items import edge_provenance
from memory.recall.layers.base import KeptItem, Lines
from memory.recall.prompt_format import edge_lines, memory_line, node_line
from memory.recall.provenance import Provenance, memory_provenance, node_provenance
from ontology.models import Edge, Node
from ontology.nodes_and_edges.edge_sentences import edge_sentence
from ontology.nodes_and_edges.past_versions import entity_edits, past_versions
from workspaces.access.callers import Caller

# An edge names both of its ends, each of which may have been renamed.
MAX_VERSIONS_OF_AN_EDGE = 200


def past_memory_lines(reader: Caller, kept: Sequence[KeptItem]) -> list[Iterable[Lines]]:
    """Return for each memory or fact of a receipt the lines that it may have had, newest first, for an open scope."""
    found = memory_versions(reader, [identity for item in kept if (identity := parse_id(item.id))])
    versions = {str(identity): states for identity, states in found.items()}
    return [[("", _memory_line(item, state)) for state in versions.get(item.id, ())] for item in kept]


def past_node_lines(reader: Caller, kept: Sequence[KeptItem]) -> Mapping[str, list[Lines]]:
    """Return the lines that nodes of a receipt may have had, newest first, by id, for an open scope."""
    nodes = {str(node.id): node for node in _nodes(reader, [item.id for item in kept])}
    edits = entity_edits(reader, [node.id for node in nodes.values()])
    return {
        identity: [
            ("", node_line(each, _node_provenance(each))) for each in past_versions(node, edits.get(node.id, ()))
        ]
        for identity, node in nodes.items()
    }


def past_edge_lines(reader: Caller, kept: Sequence[KeptItem]) -> Mapping[str, list[Lines]]:
    """Return the same of edges, each behind the node that brought it."""
    behind = {item.id: str(item.parts["node"]) for item in kept}
    edges = list(Edge.objects.of(reader).filter(id__in=list(behind)).select_related("source", "target"))
    named = {identity for edge in edges for identity in (edge.id, edge.source_id, edge.target_id)}
    edits = entity_edits(reader, named)
    found = {}
    for edge in edges:
        versions = product(
            past_versions(edge, edits.get(edge.id, ())),
            past_versions(edge.source, edits.get(edge.source_id, ())),
            past_versions(edge.target, edits.get(edge.target_id, ())),
        )
        behind_node = partial(_edge_lines, behind[str(edge.id)])
        found[str(edge.id)] = list(starmap(behind_node, islice(versions, MAX_VERSIONS_OF_AN_EDGE)))
    return found


def _memory_line(item: KeptItem, state: MemoryState) -> str:
    by = memory_provenance(
        source=state.source,
        author=state.author,
        author_kind=state.author_kind,
        edited_by=state.edited_by,
        edited_by_kind=state.edited_by_kind,
    )
    days = {name: date.fromisoformat(item.parts[name]) for name in ("since", "stated") if name in item.parts}
    return memory_line(item.id, state.content, by, **days)


def _nodes(reader: Caller, ids: Iterable[str]) -> Iterable[Node]:
    return Node.objects.of(reader).filter(id__in=list(ids)).select_related("connection").defer("words")


def _node_provenance(node: Node) -> Provenance:
    return node_provenance(node.provenance, connection=node.connection.name if node.connection else "")


def _edge_lines(node_id: str, edge: Edge, source: Node, target: Node) -> Lines:
    written = copy(edge)
    written.source, written.target = source, target
    return edge_lines(node_id, edge_sentence(written), edge_provenance(written))
