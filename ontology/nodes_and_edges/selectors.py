"""Reading nodes, edges, types and their changes. `access_…` is the only road from an outside id to an object."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import reduce
from operator import or_
from typing import Any
from uuid import UUID

from django.db.models import Count, OuterRef, Q, QuerySet

from core.db.row_count import RowCount
from core.errors import NotFoundError
from core.text.json_limits import is_storable
from ontology.models import (
    CatalogueEntry,
    Change,
    Edge,
    EdgeType,
    Entity,
    Merge,
    Node,
    NodeType,
)
from ontology.nodes_and_edges.normalisation import name_key
from telemetry.actions.call_targets import is_collecting, note_targets, note_type
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import reading_scope
from workspaces.access.spaces import OtherSpaceError
from workspaces.access.tenancy import refuse_absent

CATALOGUES: dict[str, type[CatalogueEntry]] = {Entity.NODE: NodeType, Entity.EDGE: EdgeType}


@dataclass(frozen=True, slots=True)
class NodeFilter:
    """What lists of nodes can be narrowed to; `q` is a part of the name, `properties` must all be there.

    A value of `properties` is the text of a query string, `holding` has them as they are in JSON.
    """

    types: Sequence[str] = ()
    connection: UUID | None = None
    name: str = ""
    q: str = ""
    properties: Sequence[tuple[str, str]] = ()
    created_after: datetime | None = None
    created_before: datetime | None = None
    holding: Mapping[str, Any] = field(default_factory=dict)
    include_deleted: bool = False

    def condition(self) -> Q:
        condition = _common_condition(self)
        if self.holding:
            condition &= Q(properties__contains=dict(self.holding))
        if self.name:
            # The one that is compared has an index.
            condition &= Q(name=self.name, name_key=name_key(self.name))
        if self.q:
            condition &= Q(name__icontains=self.q)
        return condition


@dataclass(frozen=True, slots=True)
class EdgeFilter:
    """What lists of edges can be narrowed to; `node` is either end."""

    types: Sequence[str] = ()
    connection: UUID | None = None
    source: UUID | None = None
    target: UUID | None = None
    node: UUID | None = None
    properties: Sequence[tuple[str, str]] = ()
    created_after: datetime | None = None
    created_before: datetime | None = None
    include_deleted: bool = False

    def condition(self) -> Q:
        condition = _common_condition(self)
        if self.source:
            condition &= Q(source=self.source)
        if self.target:
            condition &= Q(target=self.target)
        if self.node:
            condition &= Q(source=self.node) | Q(target=self.node)
        return condition


@dataclass(frozen=True, slots=True)
class TypeCount:
    """A type of the catalogue, and how many live nodes (visible edges) have it."""

    entry: CatalogueEntry
    entity: str
    count: int


def access_node(caller: Caller, node_id: UUID, *, lock: bool = False, with_deleted: bool = False) -> Node:
    """Return a node of the caller's workspace. Raises NotFoundError; absent and forbidden look the same.

    `lock` keeps the row until the end of the caller's open scope. Deleted nodes count as absent unless asked for.
    """
    caller.require(Right.READ)
    with reading_scope(caller):
        known = Node.objects.of(caller).filter(id=node_id)
        found = known if with_deleted else known.filter(is_deleted=False)
        node: Node | None = (found.select_for_update(no_key=True) if lock else found).first()
        if node is None:
            return refuse_absent(found, lock=lock)
        note_targets([(node.id, node.type)])
        return node


def access_edge(caller: Caller, edge_id: UUID, *, lock: bool = False, with_deleted: bool = False) -> Edge:
    """Return an edge of the caller's workspace, with its ends. Raises NotFoundError.

    Deleted edges, and those of a deleted node, count as absent unless asked for.
    """
    caller.require(Right.READ)
    with reading_scope(caller):
        mine = Edge.objects.of(caller)
        edges = mine if with_deleted else mine.visible()
        found = edges.filter(id=edge_id).select_related("source", "target")
        edge: Edge | None = (found.select_for_update(of=("self",), no_key=True) if lock else found).first()
        if edge is None:
            return refuse_absent(found, lock=lock)
        note_targets((end.id, end.type) for end in (edge.source, edge.target))
        return edge


def nodes_matching(caller: Caller, narrow: NodeFilter) -> QuerySet[Node]:
    """Nodes for a list, for an open scope."""
    nodes = Node.objects.of(caller)
    if not narrow.include_deleted:
        nodes = nodes.filter(is_deleted=False)
    return nodes.filter(narrow.condition()).defer("words")


def edges_matching(caller: Caller, narrow: EdgeFilter) -> QuerySet[Edge]:
    """Edges with their ends for a list, for an open scope."""
    mine = Edge.objects.of(caller)
    edges: QuerySet[Edge] = (mine if narrow.include_deleted else mine.visible()).filter(narrow.condition())
    return edges.select_related("source", "target").defer("source__words", "target__words")


def object_changes(caller: Caller, entity_id: UUID) -> QuerySet[Change]:
    """Return the history of a node or an edge, newest first, for an open scope."""
    return Change.objects.of(caller).filter(entity_id=entity_id).order_by("-id")


def type_catalogue(caller: Caller, *, of: Sequence[Entity] = tuple(Entity), most: int | None = None) -> list[TypeCount]:
    """Return the catalogue: types of nodes, then of edges, unless only one of them is wanted, by name, with counts.

    Counting all of 100,000 takes a while: with `most` it stops at one more than that number of each type.
    """
    caller.require(Right.READ)
    found: list[TypeCount] = []
    with reading_scope(caller):
        for entity in of:
            counts = _type_counts(caller, entity) if most is None else _type_counts_with_limit(caller, entity, most)
            entries = _entries(caller, CATALOGUES[entity])
            found += [TypeCount(entry, entity, counts.get(entry.name, 0)) for entry in entries]
    return found


def _type_counts(caller: Caller, entity: Entity) -> dict[str, int]:
    return dict(_live_rows(caller, entity).values_list("type").annotate(Count("id")).order_by())


def _type_counts_with_limit(caller: Caller, entity: Entity, most: int) -> dict[str, int]:
    rows = _live_rows(caller, entity).filter(type=OuterRef("name")).order_by().values("pk")
    known = CATALOGUES[entity].objects.of(caller).filter(is_deleted=False)
    return dict(known.values_list("name", RowCount(rows[: most + 1])))


def _live_rows(caller: Caller, entity: Entity) -> QuerySet[Node] | QuerySet[Edge]:
    """Return live nodes or visible edges."""
    if entity == Entity.NODE:
        return Node.objects.of(caller).filter(is_deleted=False)
    # Of few nodes that are deleted a hash is made; a join with both ends would read every node twice.
    deleted = Node.objects.of(caller).filter(is_deleted=True).values("id")
    live = Edge.objects.of(caller).filter(is_deleted=False)
    return live.exclude(source__in=deleted).exclude(target__in=deleted)


def _entries(caller: Caller, catalogue: type[CatalogueEntry]) -> list[CatalogueEntry]:
    """Return the entries of a catalogue by name; of one that several spaces have, that of the written space."""
    found = catalogue.objects.prefer_written_space(caller).filter(is_deleted=False)
    by_name: dict[str, CatalogueEntry] = {}
    for entry in found:
        by_name.setdefault(entry.name, entry)
    return [by_name[name] for name in sorted(by_name)]


def note_known_type(caller: Caller, kind: str) -> None:
    """Let telemetry know of the type that a refused node would have, if there are nodes of it."""
    if is_collecting():
        with reading_scope(caller):
            if NodeType.objects.of(caller).filter(name=kind, is_deleted=False).exists():
                note_type(kind)


def access_type(caller: Caller, type_id: UUID, *, with_deleted: bool = False) -> tuple[CatalogueEntry, str]:
    """Return an entry of the catalogue, locked in an open scope, and of what it is a type. Raises NotFoundError."""
    caller.require(Right.READ)
    with reading_scope(caller):
        for entity, catalogue in CATALOGUES.items():
            known = catalogue.objects.of(caller).filter(id=type_id)
            found = known if with_deleted else known.filter(is_deleted=False)
            if entry := found.select_for_update().first():
                return entry, entity
            if found.exists():
                raise OtherSpaceError()
    raise NotFoundError()


def merge_that_absorbed(caller: Caller, node_id: UUID) -> Merge | None:
    """Return the merge because of which a node is deleted, if it is, for an open scope."""
    active = Merge.objects.of(caller).filter(absorbed=node_id, undone_at=None)
    merge: Merge | None = active.first()
    return merge


def _common_condition(narrow: NodeFilter | EdgeFilter) -> Q:
    condition = Q()
    if narrow.types:
        condition &= Q(type__in=list(narrow.types))
    if narrow.connection:
        condition &= Q(connection=narrow.connection)
    for name, text in narrow.properties:
        condition &= reduce(or_, [Q(properties__contains={name: value}) for value in _json_readings(text)])
    if narrow.created_after:
        condition &= Q(created_at__gt=narrow.created_after)
    if narrow.created_before:
        condition &= Q(created_at__lt=narrow.created_before)
    return condition


def _json_readings(text: str) -> Iterator[Any]:
    """Yield what a value in a query string may mean: the text, and the JSON value that it spells ("7", "true")."""
    yield text
    with suppress(ValueError, RecursionError):
        if is_storable(value := json.loads(text)):
            yield value
