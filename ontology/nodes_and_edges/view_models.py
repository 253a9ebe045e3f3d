"""View models of nodes: rows, filter chips, one node with its edges and its history."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.urls import reverse

from core.text import excerpt
from ontology.models import GOVERNED_TYPES, Change, Connection, Edge, Node
from ontology.nodes_and_edges.forms import NodeListQuery
from ontology.nodes_and_edges.selectors import TypeCount
from ontology.search.schemas import NodeHitResponse
from ontology.search.services.node_search import NodeHit
from workspaces.access.callers import Right
from workspaces.access.selectors import ConsoleContext
from workspaces.http.console import build_tabs
from workspaces.http.console_lists import chip_groups

TABS = (
    ("Nodes", "ontology"),
    ("Ask", "ontology-ask"),
    ("Types", "ontology-types"),
    ("Connections", "ontology-connections"),
    ("Merge queue", "ontology-merge-queue"),
)
STEPS = {
    "edit": ("Edited", "edit"),
    "delete": ("Deleted", "forget"),
    "restore": ("Restored", "restore"),
    "merge": ("Merged", "link"),
    "absorb": ("Absorbed", "link"),
    "undo_merge": ("Merge undone", "restore"),
}
MAX_TYPE_CHIPS = 12
MAX_CHARACTERS_OF_NAME = 90
MAX_CHARACTERS_OF_VALUE = 400


@dataclass(frozen=True, slots=True)
class NodeRowView:
    """One node of the list."""

    node: Node
    title: str
    url: str
    edges: int
    hit: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class NodeLink:
    """An edge as one of its ends sees it."""

    edge: Edge
    words: str
    title: str
    url: str
    is_out: bool


@dataclass(frozen=True, slots=True)
class NodeChangeLine:
    """One change as `parts/timeline_row.html` shows it."""

    title: str
    text: str
    icon: str
    change: Change


def tabs(seat: ConsoleContext, current: str) -> list[dict[str, Any]]:
    """Return the sections of the ontology."""
    return build_tabs(seat, TABS, current)


def node_title(node: Node) -> str:
    """Return what a node is called; a memory has no name and is called by its text."""
    return node.name or excerpt(node.body, limit=MAX_CHARACTERS_OF_NAME) or "Untitled"


def node_url(seat: ConsoleContext, node: Node) -> str:
    return reverse("ontology-node", args=[seat.workspace.slug, node.id])


def type_url(seat: ConsoleContext, name: str) -> str:
    """Return the list of all nodes of a type."""
    return f"{reverse('ontology', args=[seat.workspace.slug])}?{urlencode({'types': name})}"


def build_rows(seat: ConsoleContext, nodes: Iterable[Node], edges: Mapping[UUID, int]) -> list[NodeRowView]:
    return [NodeRowView(node, node_title(node), node_url(seat, node), edges.get(node.id, 0)) for node in nodes]


def rows_of_hits(seat: ConsoleContext, hits: Iterable[NodeHit], edges: Mapping[UUID, int]) -> list[NodeRowView]:
    return [
        NodeRowView(
            hit.node,
            node_title(hit.node),
            node_url(seat, hit.node),
            edges.get(hit.node.id, 0),
            NodeHitResponse.of(hit).as_json(),
        )
        for hit in hits
    ]


def filter_chips(
    look: NodeListQuery, types: Sequence[TypeCount], connections: Sequence[Connection]
) -> list[dict[str, Any]]:
    """Return the filters of the list; each chip is an address."""
    chip, chosen = look.filters.chip, set(look.narrow.types)
    common = sorted((one for one in types if one.count), key=lambda one: -one.count)[:MAX_TYPE_CHIPS]
    names = [*(one.entry.name for one in common), *sorted(chosen - {one.entry.name for one in common})]
    counts = {one.entry.name: one.count for one in common}
    # A comma would split the type when the address is read.
    groups = [("Type", [chip("types", name, name, count=counts.get(name)) for name in names if "," not in name])]
    if connections:
        chips = [chip("connection", one.name, str(one.id), alone=True) for one in connections]
        groups.append(("Connection", chips))
    groups.append(("State", [chip("deleted", "Deleted", "true", alone=True)]))
    return chip_groups(groups)


def build_links(seat: ConsoleContext, node: Node, edges: Iterable[Edge]) -> list[NodeLink]:
    """Return a node's edges, each with what is at its other end."""
    return [_link(seat, edge, is_out=edge.source_id == node.id) for edge in edges]


def build_details(seat: ConsoleContext, node: Node, connection: Connection | None) -> list[dict[str, Any]]:
    """Return what is known of a node next to its properties, as `parts/key_values.html` shows it."""
    pairs: list[dict[str, Any]] = [
        {"label": "Id", "id": node.id},
        {"label": "Type", "value": node.type, "url": type_url(seat, node.type)},
        {"label": "Importance", "value": f"{node.importance_score:.2f}"},
        {"label": "Cited", "value": f"{node.reference_count:,} {'time' if node.reference_count == 1 else 'times'}"},
        {"label": "Last cited", "at": node.last_referenced_at, "value": "Never"},
    ]
    if connection:
        pairs.append({"label": "Connection", "value": connection.name})
    return [*pairs, {"label": "Created", "at": node.created_at}, {"label": "Updated", "at": node.updated_at}]


def build_properties(node: Node) -> list[dict[str, Any]]:
    """Return a node's own properties; a value that is not plain text is shown as JSON."""
    return [
        {"label": name, "value": excerpt(_as_text(value), limit=MAX_CHARACTERS_OF_VALUE) or "—"}
        for name, value in node.properties.items()
    ]


def step_lines(changes: Iterable[Change]) -> list[NodeChangeLine]:
    """Return a node's history in words, with what each step replaced."""
    return [_step_line(change) for change in changes]


def extraction_origins(provenance: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the texts that a node was extracted from, the newest first."""
    sources = provenance.get("sources", [])
    return [source for source in reversed(sources) if isinstance(source, Mapping)]


def may_edit(seat: ConsoleContext, node: Node) -> bool:
    """Memories are governed on pages of their own."""
    return seat.caller.may(Right.WRITE) and node.type not in GOVERNED_TYPES


def _link(seat: ConsoleContext, edge: Edge, *, is_out: bool) -> NodeLink:
    other = edge.target if is_out else edge.source
    return NodeLink(edge, edge.type.replace("_", " "), node_title(other), node_url(seat, other), is_out)


def _step_line(change: Change) -> NodeChangeLine:
    title, icon = STEPS.get(change.action, (change.action.capitalize(), "edit"))
    lines = [f"{name.capitalize()} before: {_as_text(value)}" for name, value in change.before.items()]
    text = "" if change.action in {"delete", "restore"} else "\n".join(lines)
    return NodeChangeLine(title, excerpt(text, limit=MAX_CHARACTERS_OF_VALUE), icon, change)


def _as_text(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return ", ".join(value)
    return json.dumps(value, ensure_ascii=False)
