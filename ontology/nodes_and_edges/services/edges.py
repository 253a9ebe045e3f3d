"""The one provider through which edges are written, and what people and agents do with them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.db import IntegrityError, connection, transaction
from django.db.models import F

from core.clock import utc_now
from core.errors import ConflictError, FieldProblem, NotFoundError
from ontology.models import GOVERNED_TYPES, Edge, EdgeType, Entity, Node
from ontology.nodes_and_edges.merge_patch import apply_merge_patch
from ontology.nodes_and_edges.pending_removals import connections_in_removal
from ontology.nodes_and_edges.provenance import mark_returned
from ontology.nodes_and_edges.selectors import access_edge
from ontology.nodes_and_edges.services.change_history import record_changes
from ontology.nodes_and_edges.services.outbox import SQL, announce_edges
from ontology.nodes_and_edges.services.type_editor import register_types
from ontology.nodes_and_edges.validation import refuse_unfit_properties
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope
from workspaces.http.idempotency import purge_responses

ROWS_AT_ONCE = 2_000
# Edges of these types between two memories say that people decide which of the two holds.
GOVERNED_EDGE_TYPES = frozenset({"contradicts"})
# An edge in the way may be deleted between two looks.
MAX_ATTEMPTS = 3
NO_SUCH_NODE = "There is no such node in this workspace."

Triple = tuple[UUID, UUID, str]


class DuplicateEdgeError(ConflictError):
    """There is one live edge of a type from one node to another in a space."""

    code = "duplicate_edge"
    title = "An edge of this type between these nodes exists already."


class EndDeletedError(ConflictError):
    """An edge is hidden as long as one of its ends is deleted."""

    code = "end_deleted"
    title = "A node at an end of this edge is deleted. Restore the node; its edges come back with it."


@dataclass(frozen=True, slots=True)
class NewEdge:
    """What an edge is made of."""

    type: str
    source_id: UUID
    target_id: UUID
    properties: dict[str, Any] = field(default_factory=dict)
    provenance: dict[str, Any] = field(default_factory=dict)
    connection_id: UUID | None = None

    @property
    def triple(self) -> Triple:
        return self.source_id, self.target_id, self.type


@dataclass(frozen=True, slots=True)
class MadeEdge:
    """The edge that now stands for a triple; `is_new` is False for one that was there."""

    id: UUID
    is_new: bool


def add_edge(*, caller: Caller, new: NewEdge) -> tuple[Edge, bool]:
    """Connect two live nodes; answer the edge, and whether it is new. One that was there stays as it is.

    Raises MissingScopeError without `write`, and without `facts` for one of `find_governed_edges`; NotFoundError for
    an unknown end or connection, ContentTooLargeError, SecretRefusedError.
    """
    caller.require(Right.WRITE)
    refuse_unfit_properties(new.properties)
    with workspace_scope(caller):
        if new.connection_id and not live_connections(caller, [new.connection_id]):
            raise NotFoundError()
        live = live_ends(caller, [new.source_id, new.target_id])
        absent = [name for name, end in (("source", new.source_id), ("target", new.target_id)) if end not in live]
        if absent:
            raise NotFoundError(problems=tuple(FieldProblem(name, "not_found", NO_SUCH_NODE) for name in absent))
        if find_governed_edges(caller, [new]):
            caller.require(Right.FACTS)
        made = create_edges(caller=caller, new=[new])[0]
        return access_edge(caller, made.id), made.is_new


def edit_edge(
    *, caller: Caller, edge_id: UUID, changes: Mapping[str, Any], then: Mapping[str, Any] | None = None
) -> Edge:
    """Change the type or the properties (see `apply_merge_patch`) of a visible edge.

    `then` is the provenance of an earlier version that is put back. Raises MissingScopeError as `add_edge`
    does, NotFoundError, DuplicateEdgeError, ContentTooLargeError, SecretRefusedError.
    """
    caller.require(Right.WRITE)
    with workspace_scope(caller):
        edge = access_edge(caller, edge_id, lock=True)
        wanted = apply_merge_patch({"type": edge.type, "properties": edge.properties}, changes)
        before = {name: getattr(edge, name) for name in wanted}
        if not before:
            return edge
        refuse_unfit_properties(wanted.get("properties", {}))
        _require_right(caller, edge, wanted.get("type", edge.type))
        if "type" in wanted:
            register_types(EdgeType, caller.workspace_id, [wanted["type"]])
        edited, returned = mark_returned(edge.provenance, label=caller.label, kind=caller.kind, then=then)
        _write(edge, **wanted, provenance=edited)
        record_changes(caller=caller, entity=Entity.EDGE, ids=[edge_id], action="edit", before=before | returned)
        return access_edge(caller, edge_id)


def delete_edge(*, caller: Caller, edge_id: UUID) -> Edge:
    """Delete an edge softly; one that is deleted stays as it is. Raises MissingScopeError as `add_edge` does,
    NotFoundError."""
    caller.require(Right.WRITE)
    with workspace_scope(caller):
        edge = access_edge(caller, edge_id, lock=True, with_deleted=True)
        _require_right(caller, edge)
        if not edge.is_deleted:
            _write(edge, is_deleted=True, deleted_at=utc_now())
            purge_responses(caller=caller)
            record_changes(
                caller=caller, entity=Entity.EDGE, ids=[edge_id], action="delete", before={"is_deleted": False}
            )
        return access_edge(caller, edge_id, with_deleted=True)


def restore_edge(*, caller: Caller, edge_id: UUID) -> Edge:
    """Bring a deleted edge back. Raises MissingScopeError as `add_edge` does, NotFoundError, EndDeletedError,
    DuplicateEdgeError."""
    caller.require(Right.WRITE)
    with workspace_scope(caller):
        edge = access_edge(caller, edge_id, lock=True, with_deleted=True)
        _require_right(caller, edge)
        if len(live_ends(caller, [edge.source_id, edge.target_id])) < len({edge.source_id, edge.target_id}):
            raise EndDeletedError()
        if edge.is_deleted:
            _write(edge, is_deleted=False, deleted_at=None)
            record_changes(
                caller=caller, entity=Entity.EDGE, ids=[edge_id], action="restore", before={"is_deleted": True}
            )
        return access_edge(caller, edge_id)


def create_edges(*, caller: Caller, new: Sequence[NewEdge]) -> list[MadeEdge]:
    """Insert edges between nodes that `live_ends` has answered, in the caller's open scope.

    One of the same type between the same nodes, of a space that the caller reads, is answered in place of a second one,
    also within the call. Raises DuplicateEdgeError where one is made and deleted by others again and again.
    """
    register_types(EdgeType, caller.workspace_id, (one.type for one in new))
    rows: dict[Triple, Edge] = {}
    for one in new:
        rows.setdefault(one.triple, _row(caller, one))
    _drop_removed(caller, rows)
    there = _live_edges(caller, list(rows))
    for _ in range(MAX_ATTEMPTS):
        # In one order, or two calls with the same edges would wait for each other.
        missing = [rows[triple] for triple in sorted(rows.keys() - there.keys())]
        if not missing:
            break
        Edge.objects.bulk_create(missing, ignore_conflicts=True, batch_size=ROWS_AT_ONCE)
        there = _live_edges(caller, list(rows))
    if rows.keys() - there.keys():
        raise DuplicateEdgeError()
    inserted = {row.id for row in rows.values()}.intersection(there.values())
    announce_edges(caller.workspace_id, [row for row in rows.values() if row.id in inserted])
    made = []
    for one in new:
        identity = there[one.triple]
        made.append(MadeEdge(identity, is_new=identity in inserted))
        inserted -= {identity}
    return made


def _drop_removed(caller: Caller, triples: Collection[Triple]) -> None:
    """Make way for edges where those of a deleted connection, which wait for their removal, are still in the way."""
    if removed := connections_in_removal(caller):
        mine = Edge.objects.with_removed(caller).filter(connection__in=removed, is_deleted=False)
        ends = mine.filter(source_id__in={one[0] for one in triples}, target_id__in={one[1] for one in triples})
        gone = [edge for edge in ends if (edge.source_id, edge.target_id, edge.type) in triples]
        Edge.objects.filter(id__in=[edge.id for edge in gone]).update(is_deleted=True, deleted_at=utc_now())


def find_governed_edges(caller: Caller, new: Sequence[NewEdge]) -> list[NewEdge]:
    """Return those of the edges, between live nodes, that say of two memories that people decide between them.

    An agent without `facts` neither draws one nor takes one away: the server draws them, of its own memories as well.
    """
    asked = [one for one in new if one.type in GOVERNED_EDGE_TYPES]
    ends = {end for one in asked for end in (one.source_id, one.target_id)}
    found = (
        Node.objects.of(caller).filter(id__in=ends, type__in=sorted(GOVERNED_TYPES)) if ends else Node.objects.none()
    )
    memories = set(found.values_list("id", flat=True))
    return [one for one in asked if {one.source_id, one.target_id} <= memories]


def _require_right(caller: Caller, edge: Edge, *types: str) -> None:
    """Raise MissingScopeError without `facts` for one of `find_governed_edges`, or what becomes one."""
    is_governed = not GOVERNED_EDGE_TYPES.isdisjoint({edge.type, *types})
    if is_governed and {edge.source.type, edge.target.type} <= GOVERNED_TYPES:
        caller.require(Right.FACTS)


def live_ends(caller: Caller, ids: Collection[UUID]) -> set[UUID]:
    """Return the live ones among some nodes, kept from being deleted until the end of the caller's open scope."""
    return _lock_rows(caller, "lock_ends", ids)


def live_connections(caller: Caller, ids: Collection[UUID]) -> set[UUID]:
    """Return the live ones among some connections, kept from being deleted until the end of the caller's open scope."""
    return _lock_rows(caller, "lock_connections", ids)


def _row(caller: Caller, new: NewEdge) -> Edge:
    return Edge(
        workspace_id=caller.workspace_id,
        type=new.type,
        source_id=new.source_id,
        target_id=new.target_id,
        properties=new.properties,
        provenance=new.provenance,
        connection_id=new.connection_id,
    )


def _lock_rows(caller: Caller, statement: str, ids: Collection[UUID]) -> set[UUID]:
    locked: set[UUID] = set()
    for place in caller.in_each_space():  # also of spaces that the caller only reads
        with workspace_scope(place), connection.cursor() as cursor:
            given: dict[str, Any] = {
                "workspace_id": caller.workspace_id,
                "ids": list(set(ids)),
                "removed": connections_in_removal(place),
            }
            cursor.execute(SQL[statement], given)
            locked |= {identity for (identity,) in cursor.fetchall()}
    return locked


def _live_edges(caller: Caller, triples: Sequence[Triple]) -> dict[Triple, UUID]:
    sources, targets, types = zip(*triples, strict=True) if triples else ((), (), ())
    with connection.cursor() as cursor:
        cursor.execute(
            SQL["live_edges_between"],
            {
                "workspace_id": caller.workspace_id,
                "sources": list(sources),
                "targets": list(targets),
                "types": list(types),
                "space": caller.reach.written,
            },
        )
        return {(source, target, kind): identity for source, target, kind, identity in cursor.fetchall()}


def _write(edge: Edge, **values: Any) -> None:
    try:
        with transaction.atomic():
            Edge.objects.filter(id=edge.id).update(**values, version=F("version") + 1, updated_at=utc_now())
    except IntegrityError as error:
        raise DuplicateEdgeError() from error
    announce_edges(edge.workspace_id, [edge])
