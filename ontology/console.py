"""What the ontology's templates show: rows of nodes, filter chips, one node with its edges and its history."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.http import QueryDict
from django.urls import reverse

from core.text import excerpt
from ontology.forms import Look
from ontology.models import GOVERNED_TYPES, Change, Connection, Edge, Merge, MergeCandidate, Node
from ontology.presenting_answers import hit_json
from ontology.selectors import TypeCount
from ontology.services.hits import NodeHit
from workspaces.callers import Right
from workspaces.selectors import Seat

TABS = (
    ("Nodes", "ontology"),
    ("Ask", "ontology-ask"),
    ("Types", "ontology-types"),
    ("Connections", "ontology-connections"),
    ("Merge queue", "ontology-merge"),
)
METHODS = {"hybrid": "by words and meaning", "keyword": "by words only", "semantic": "by meaning"}
STEPS = {
    "edit": ("Edited", "edit"),
    "delete": ("Deleted", "forget"),
    "restore": ("Restored", "restore"),
    "merge": ("Merged", "link"),
    "absorb": ("Absorbed", "link"),
    "undo_merge": ("Merge undone", "restore"),
}
# Why two nodes may be one.
REASONS = {
    "name": "same name",
    "alias": "one is called like the other",
    "similar_name": "similar names",
    "vector": "similar meaning",
    "neighbours": "connected with the same",
}
MOST_TYPE_CHIPS = 12
MOST_CHARACTERS_OF_NAME = 90
MOST_CHARACTERS_OF_VALUE = 400


@dataclass(frozen=True, slots=True)
class Row:
    """One node of the list."""

    node: Node
    title: str
    url: str
    edges: int
    hit: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Listing:
    """The rows of the list, the addresses of the pages beside it, and what it amounts to in words."""

    rows: Sequence[Row]
    previous: str | None = None
    next: str | None = None
    total: str = ""
    is_scored: bool = False


@dataclass(frozen=True, slots=True)
class Link:
    """An edge as one of its ends sees it."""

    edge: Edge
    words: str
    title: str
    url: str
    is_out: bool


@dataclass(frozen=True, slots=True)
class StepLine:
    """One change as `parts/timeline_row.html` shows it."""

    title: str
    text: str
    icon: str
    change: Change


@dataclass(frozen=True, slots=True)
class Half:
    """One node of a pair that may be one."""

    row: Row
    properties: Sequence[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two nodes that may be one, and why."""

    candidate: MergeCandidate
    halves: tuple[Half, Half]
    reasons: str

    @property
    def are_namesakes(self) -> bool:
        """Then the buttons cannot tell them apart by name."""
        return self.candidate.first.name.split() == self.candidate.second.name.split()


@dataclass(frozen=True, slots=True)
class MergeLine:
    """One merge that holds."""

    merge: Merge
    kept: str
    kept_url: str
    absorbed: str


def tabs(seat: Seat, current: str, **counts: int) -> list[dict[str, Any]]:
    """The sections of the ontology; `counts` by the name of a page."""
    slug = seat.workspace.slug
    return [
        {"label": label, "url": reverse(page, args=[slug]), "current": page == current, "count": counts.get(page)}
        for label, page in TABS
    ]


def title_of(node: Node) -> str:
    """What a node is called; a memory has no name and is called by its text."""
    return node.name or excerpt(node.body, limit=MOST_CHARACTERS_OF_NAME) or "Untitled"


def url_of(seat: Seat, node: Node) -> str:
    return reverse("ontology-node", args=[seat.workspace.slug, node.id])


def type_url(seat: Seat, name: str) -> str:
    """The list of all nodes of a type."""
    return f"{reverse('ontology', args=[seat.workspace.slug])}?{urlencode({'types': name})}"


def rows_of(seat: Seat, nodes: Iterable[Node], edges: Mapping[UUID, int]) -> list[Row]:
    return [Row(node, title_of(node), url_of(seat, node), edges.get(node.id, 0)) for node in nodes]


def rows_of_hits(seat: Seat, hits: Iterable[NodeHit], edges: Mapping[UUID, int]) -> list[Row]:
    return [
        Row(hit.node, title_of(hit.node), url_of(seat, hit.node), edges.get(hit.node.id, 0), hit_json(hit))
        for hit in hits
    ]


def chip_groups(look: Look, types: Sequence[TypeCount], connections: Sequence[Connection]) -> list[dict[str, Any]]:
    """The filters of the list; each chip is an address."""
    chosen = set(look.narrow.types)
    common = sorted((one for one in types if one.count), key=lambda one: -one.count)[:MOST_TYPE_CHIPS]
    names = [*(one.entry.name for one in common), *sorted(chosen - {one.entry.name for one in common})]
    counts = {one.entry.name: one.count for one in common}
    # A comma would split the type when the address is read.
    groups = [("Type", [_chip(look, "types", name, name, counts.get(name)) for name in names if "," not in name])]
    if connections:
        chips = [_chip(look, "connection", one.name, str(one.id), is_alone=True) for one in connections]
        groups.append(("Connection", chips))
    groups.append(("State", [_chip(look, "deleted", "Deleted", "true", is_alone=True)]))
    return [{"label": label, "chips": chips} for label, chips in groups if chips]


def kept_by_search(look: Look) -> list[dict[str, str]]:
    """What a search from this list keeps: its filters."""
    return [
        {"name": name, "value": str(value)}
        for name, values in look.given.lists()
        if name not in {"q", "deleted"}
        for value in values
    ]


def cleared(look: Look) -> str:
    """The address without filters; empty when there are none."""
    rest = QueryDict(mutable=True)
    if look.query:
        rest["q"] = look.query
    return f"?{rest.urlencode()}" if look.is_filtered else ""


def links_of(seat: Seat, node: Node, edges: Iterable[Edge]) -> list[Link]:
    """A node's edges, each with what is at its other end."""
    return [_link(seat, edge, is_out=edge.source_id == node.id) for edge in edges]


def pairs_of(seat: Seat, node: Node, connection: Connection | None) -> list[dict[str, Any]]:
    """What is known of a node beside its properties, as `parts/key_values.html` shows it."""
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


def properties_of(node: Node) -> list[dict[str, Any]]:
    """A node's own properties; a value that is no plain text is shown as JSON."""
    return [
        {"label": name, "value": excerpt(_as_text(value), limit=MOST_CHARACTERS_OF_VALUE) or "—"}
        for name, value in node.properties.items()
    ]


def step_lines(changes: Iterable[Change]) -> list[StepLine]:
    """A node's history in words, with what each step replaced."""
    return [_step_line(change) for change in changes]


def pair_of(seat: Seat, candidate: MergeCandidate, edges: Mapping[UUID, int]) -> Pair:
    """A pair of the merge queue as the page shows it."""
    first, second = rows_of(seat, [candidate.first, candidate.second], edges)
    reasons = ", ".join(REASONS.get(each["reason"], each["reason"]) for each in candidate.reasons)
    halves = (Half(first, properties_of(first.node)), Half(second, properties_of(second.node)))
    return Pair(candidate, halves, reasons)


def merge_lines(seat: Seat, merges: Iterable[Merge]) -> list[MergeLine]:
    """Merges that can be undone."""
    return [MergeLine(one, title_of(one.kept), url_of(seat, one.kept), title_of(one.absorbed)) for one in merges]


def origins_of(provenance: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The texts that a node was extracted from, the newest first."""
    sources = provenance.get("sources", [])
    return [source for source in reversed(sources) if isinstance(source, Mapping)]


def may_edit(seat: Seat, node: Node) -> bool:
    """Memories are governed on pages of their own."""
    return seat.caller.may(Right.WRITE) and node.type not in GOVERNED_TYPES


def _link(seat: Seat, edge: Edge, *, is_out: bool) -> Link:
    other = edge.target if is_out else edge.source
    return Link(edge, edge.type.replace("_", " "), title_of(other), url_of(seat, other), is_out)


def _step_line(change: Change) -> StepLine:
    title, icon = STEPS.get(change.action, (change.action.capitalize(), "edit"))
    told = [f"{name.capitalize()} before: {_as_text(value)}" for name, value in change.before.items()]
    text = "" if change.action in {"delete", "restore"} else "\n".join(told)
    return StepLine(title, excerpt(text, limit=MOST_CHARACTERS_OF_VALUE), icon, change)


def _as_text(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return ", ".join(value)
    return json.dumps(value, ensure_ascii=False)


def _chip(
    look: Look, name: str, label: str, value: str, count: int | None = None, *, is_alone: bool = False
) -> dict[str, Any]:
    """A link that adds a value to the address, or takes it away; `is_alone` replaces the other values of its name."""
    values = [part for given in look.given.getlist(name) for part in given.split(",")]
    is_on = value in values
    rest = [] if is_alone else [other for other in values if other != value]
    address = look.given.copy()
    address.setlist(name, rest if is_on else [*rest, value])
    if not address.getlist(name):
        del address[name]
    return {"label": excerpt(label, limit=32), "url": f"?{address.urlencode()}", "on": is_on, "count": count}
