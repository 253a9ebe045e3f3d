"""View models of nodes: rows, filter chips, one node with its edges and its history."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.urls import reverse

from core.text import excerpt
from core.text.word_diff import compare_words
from ontology.models import GOVERNED_TYPES, Change, Connection, Edge, Node
from ontology.nodes_and_edges.console_selectors import MAX_NODES_COUNTED, MAX_PAIRS_COUNTED, type_marks, waiting_pairs
from ontology.nodes_and_edges.forms import NodeListQuery
from ontology.nodes_and_edges.inverse_names import edge_words, inverse_words
from ontology.nodes_and_edges.normalisation import render_properties
from ontology.nodes_and_edges.past_versions import EDIT, edit_values, past_versions
from ontology.nodes_and_edges.type_marks import TypeMark, type_mark
from ontology.search.schemas import NodeHitResponse
from ontology.search.services.node_search import NodeHit
from workspaces.access.callers import Right
from workspaces.access.selectors import ConsoleContext
from workspaces.http.console import build_tabs
from workspaces.http.console_lists import chip_groups
from workspaces.http.console_moments import MomentBar
from workspaces.http.version_lines import VersionLine

TABS = (
    ("Things", "ontology"),
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
NO_MOMENT: Mapping[str, str] = {}
MAX_TYPE_CHIPS = 12
MAX_CHARACTERS_OF_NAME = 90
MAX_CHARACTERS_OF_VALUE = 400
# Of the list: a property or two that tell one node of a type from another.
MAX_SUMMARY_PROPERTIES = 2
MAX_CHARACTERS_OF_SUMMARY_VALUE = 40


@dataclass(frozen=True, slots=True)
class NodeRowView:
    """One node of the list."""

    node: Node
    title: str
    url: str
    edges: int
    mark: TypeMark
    summary: str = ""
    hit: Mapping[str, Any] | None = None

    @property
    def is_memory(self) -> bool:
        """Memories are governed, and merged nowhere."""
        return self.node.type in GOVERNED_TYPES


@dataclass(frozen=True, slots=True)
class NodeLink:
    """An edge as one of its ends sees it."""

    edge: Edge
    title: str
    url: str
    type: str
    mark: TypeMark


@dataclass(frozen=True, slots=True)
class LinkGroup:
    """The edges of a node of one type in one direction, under their name as the node sees it."""

    words: str
    links: Sequence[NodeLink]


def tabs(seat: ConsoleContext, current: str) -> list[dict[str, Any]]:
    """Return the sections of the ontology, with the number of pairs that wait in the merge queue."""
    found = build_tabs(seat, TABS, current)
    waiting = {"count": waiting_pairs(seat.caller) or None, "most": MAX_PAIRS_COUNTED}
    return [*found[:-1], {**found[-1], **waiting}]


def node_title(node: Node) -> str:
    """Return what a node is called; a memory has no name and is called by its text."""
    return node.name or excerpt(node.body, limit=MAX_CHARACTERS_OF_NAME) or "Untitled"


def node_url(seat: ConsoleContext, node: Node) -> str:
    return reverse("ontology-node", args=[seat.workspace.slug, node.id])


def type_url(seat: ConsoleContext, name: str) -> str:
    """Return the list of all nodes of a type."""
    return f"{reverse('ontology', args=[seat.workspace.slug])}?{urlencode({'types': name})}"


def build_rows(
    seat: ConsoleContext, nodes: Iterable[Node], edges: Mapping[UUID, int], moment: Mapping[str, str] = NO_MOMENT
) -> list[NodeRowView]:
    """Return nodes as rows; `moment` are the parameters of the address of another moment."""
    marks = type_marks(seat.caller)
    return [_row(seat, node, edges, marks, moment) for node in nodes]


def rows_of_hits(
    seat: ConsoleContext, hits: Iterable[NodeHit], edges: Mapping[UUID, int], moment: Mapping[str, str] = NO_MOMENT
) -> list[NodeRowView]:
    marks = type_marks(seat.caller)
    return [replace(_row(seat, hit.node, edges, marks, moment), hit=NodeHitResponse.of(hit).as_json()) for hit in hits]


def find_mark(marks: Mapping[str, TypeMark], name: str) -> TypeMark:
    return marks.get(name) or type_mark(name)


def summarise_properties(node: Node) -> str:
    """Return a property or two of a node, "city: London · role: engineer"; lists and objects say too little here."""
    if node.type in GOVERNED_TYPES:
        return ""
    plain = [
        f"{name}: {excerpt(str(value), limit=MAX_CHARACTERS_OF_SUMMARY_VALUE)}"
        for name, value in node.properties.items()
        if isinstance(value, str | int | float) and not isinstance(value, bool) and str(value).strip()
    ]
    return " · ".join(plain[:MAX_SUMMARY_PROPERTIES])


def view_links(look: NodeListQuery) -> list[dict[str, Any]]:
    """Return the two ways to look at the list, with the same search and filters."""
    given = look.filters.given.copy()
    given.pop("view", None)
    table = given.urlencode()
    given["view"] = "graph"
    return [
        {"label": "Table", "url": f"?{table}", "on": not look.is_graph},
        {"label": "Graph", "url": f"?{given.urlencode()}", "on": look.is_graph},
    ]


def filter_chips(
    look: NodeListQuery, types: Mapping[str, int], connections: Sequence[Connection]
) -> list[dict[str, Any]]:
    """Return the filters of the list; each chip is an address. `types` are those of the catalogue, with their nodes."""
    chip, chosen = look.filters.chip, set(look.narrow.types)
    common = sorted((name for name, number in types.items() if number), key=lambda name: -types[name])[:MAX_TYPE_CHIPS]
    # A comma would split the type when the address is read.
    names = [name for name in (*common, *sorted(chosen - {*common})) if "," not in name]
    chips = [chip("types", name, name, count=types.get(name), most=MAX_NODES_COUNTED) for name in names]
    groups = [("Type", chips)]
    if connections:
        chips = [chip("connection", one.name, str(one.id), alone=True) for one in connections]
        groups.append(("Connection", chips))
    groups.append(("State", [chip("deleted", "Deleted", "true", alone=True)]))
    return chip_groups(groups)


def build_links(seat: ConsoleContext, node: Node, edges: Iterable[Edge]) -> list[LinkGroup]:
    """Return a node's edges by type and direction, under the name that the type has as this node sees it."""
    marks = type_marks(seat.caller)
    groups: dict[tuple[str, bool], list[NodeLink]] = {}
    for edge in edges:
        is_out = edge.source_id == node.id
        groups.setdefault((edge.type, is_out), []).append(_link(seat, edge, marks, is_out=is_out))
    return [
        LinkGroup(edge_words(kind) if is_out else inverse_words(kind), links)
        for (kind, is_out), links in groups.items()
    ]


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


def step_lines(
    seat: ConsoleContext, node: Node, changes: Sequence[Change], *, is_complete: bool, bar: MomentBar
) -> list[VersionLine]:
    """Return the newest steps of a node in words, with what each replaced; with how it was added, where they are all of
    its steps."""
    edits = [change for change in changes if change.action == EDIT]
    versions = dict(zip([*(each.id for each in edits), node.id], past_versions(node, edits), strict=True))
    older = dict(zip(versions, [*list(versions.values())[1:], None], strict=True))
    may_revert = may_edit(seat, node) and not node.is_deleted and not bar.is_set
    is_changed = {identity: _describe(each) != _describe(node) for identity, each in versions.items()}

    def mark_version(identity: UUID) -> dict[str, Any]:
        is_offered = may_revert and is_changed.get(identity, False)
        current = next(iter(versions)) if edits else None
        return {"version": identity if is_offered else None, "is_current": identity == current}

    lines = [
        _step_line(change, versions.get(change.id), older.get(change.id), **mark_version(change.id))
        for change in changes
    ]
    if is_complete:
        who = str(node.provenance.get("by", ""))
        lines.append(VersionLine("Added", "", "add", node.created_at, who, **mark_version(node.id)))
    return lines


def extraction_origins(provenance: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the texts that a node was extracted from, the newest first."""
    sources = provenance.get("sources", [])
    return [source for source in reversed(sources) if isinstance(source, Mapping)]


def may_edit(seat: ConsoleContext, node: Node) -> bool:
    """Memories are governed on pages of their own."""
    return seat.caller.may(Right.WRITE) and node.type not in GOVERNED_TYPES


def _row(
    seat: ConsoleContext,
    node: Node,
    edges: Mapping[UUID, int],
    marks: Mapping[str, TypeMark],
    moment: Mapping[str, str],
) -> NodeRowView:
    return NodeRowView(
        node,
        node_title(node),
        f"{node_url(seat, node)}?{urlencode(moment)}" if moment else node_url(seat, node),
        edges.get(node.id, 0),
        find_mark(marks, node.type),
        summarise_properties(node),
    )


def _link(seat: ConsoleContext, edge: Edge, marks: Mapping[str, TypeMark], *, is_out: bool) -> NodeLink:
    other = edge.target if is_out else edge.source
    return NodeLink(edge, node_title(other), node_url(seat, other), other.type, find_mark(marks, other.type))


def _step_line(change: Change, after: Node | None, before: Node | None, **version: Any) -> VersionLine:
    title, icon = STEPS.get(change.action, (change.action.capitalize(), "edit"))
    parts = compare_words(_describe(before), _describe(after)) if before and after else []
    told = {"properties"} if parts else set()  # word by word
    before_it = {name: value for name, value in edit_values(change).items() if name not in told}
    lines = [f"{name.capitalize()} before: {_as_text(value)}" for name, value in before_it.items()]
    text = "" if change.action in {"delete", "restore"} else "\n".join(lines)
    shown = excerpt(text, limit=MAX_CHARACTERS_OF_VALUE)
    return VersionLine(title, shown, icon, change.created_at, change.actor_label, parts, **version)


def _describe(node: Node) -> str:
    """Return what is known of a node as one text, by which its versions are compared."""
    return "\n".join([f"{node.type}: {node.name}", *render_properties(node.properties).splitlines()])


def _as_text(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return ", ".join(value)
    return json.dumps(value, ensure_ascii=False)
