"""Connections: what brings nodes and edges in by itself, and the removal of everything that came through one."""

from __future__ import annotations

from uuid import UUID

from django.db import IntegrityError, connection, transaction
from django.db.models import F, Q

from core.clock import utc_now
from core.errors import ConflictError
from core.text.validators import refuse_secret
from ontology.connections.selectors import access_connection
from ontology.matching.services.merges import undo_crossing_merges
from ontology.models import Change, Connection, Edge, Node, NodeEmbedding
from ontology.nodes_and_edges.pending_removals import forget_connections_in_removal
from ontology.nodes_and_edges.services.outbox import SQL, announce_edges, announce_nodes
from ontology.nodes_and_edges.validation import refuse_invisible
from workspaces.access.audit import record_event
from workspaces.access.callers import Caller, Right, maintenance_caller
from workspaces.access.scope import workspace_scope
from workspaces.access.unique_tasks import enqueue_once
from workspaces.http.idempotency import purge_responses

REMOVE_TASK = "ontology.connections.tasks.remove_connection"

# At most this number of nodes, or edges, are removed in one transaction, so that its locks are short.
REMOVED_AT_ONCE = 1_000
# A slice of this many nodes and edges is removed while the caller waits; a larger one by the worker.
REMOVED_DIRECTLY = 2_000


class ConnectionNameTakenError(ConflictError):
    """Names of connections are unique."""

    code = "connection_name_taken"
    title = "Another connection of this workspace has that name."


def add_connection(*, caller: Caller, name: str, kind: str = "") -> Connection:
    """Make a connection, for nodes and edges to come through. Raises MissingScopeError, ConnectionNameTakenError,
    InvalidError."""
    caller.require(Right.WRITE)
    refuse_invisible(name, field="name")
    refuse_secret(f"{name} {kind}", field="name")
    with workspace_scope(caller):
        try:
            with transaction.atomic():
                made: Connection = Connection.objects.create(workspace_id=caller.workspace_id, name=name, kind=kind)
        except IntegrityError as error:
            raise ConnectionNameTakenError() from error
        record_event(caller=caller, action="connection.added", object_type="connection", object_id=made.id)
        return made


def delete_connection(*, caller: Caller, connection_id: UUID) -> Connection:
    """Delete a connection and, for good, every node and edge that came through it, with their vectors and twins.

    From the commit on nothing of it is read. The rows of a large slice are removed in the background: the answer, and
    `access_connection` afterwards, tell how far it is.
    Deleting again goes on with a removal that was cut short. Raises MissingScopeError without `admin`, NotFoundError.
    """
    caller.require(Right.ADMIN)
    with workspace_scope(caller):
        found = access_connection(caller, connection_id, lock=True)
        if not found.is_deleted:
            found = _mark_deleted(caller, found)
        if found.removed_at is None and found.to_remove > REMOVED_DIRECTLY:
            enqueue_once(REMOVE_TASK, caller=caller, subject=str(connection_id))
            return found
    while not remove_some(caller=caller, connection_id=connection_id):
        pass
    return access_connection(caller, connection_id)


def remove_some(*, caller: Caller, connection_id: UUID) -> bool:
    """Remove a part of what came through a deleted connection; True once nothing is left."""
    with workspace_scope(caller):
        found = access_connection(caller, connection_id, lock=True)
        if found.removed_at is not None:
            return True
        progress = _remove_nodes(caller, found) or _remove_edges(caller, found)
        Connection.objects.filter(id=connection_id).update(
            **{name: F(name) + count for name, count in progress.items()},
            **({} if progress else {"removed_at": utc_now()}),
        )
        return not progress


def unfinished_removals(*, workspace_id: UUID) -> list[UUID]:
    """Deleted connections whose slices are still there."""
    caller = maintenance_caller(workspace_id, "connections")
    with workspace_scope(caller):
        deleted = Connection.objects.filter(workspace_id=workspace_id, is_deleted=True, removed_at=None)
        return list(deleted.values_list("id", flat=True))


def _mark_deleted(caller: Caller, found: Connection) -> Connection:
    # Every write into a connection locks it first, so that nothing comes through it from here on.
    slice_of = Q(workspace_id=caller.workspace_id, connection=found)
    undo_crossing_merges(caller, slice_of)
    total = Node.objects.filter(slice_of).count() + Edge.objects.filter(slice_of).count()
    Connection.objects.filter(id=found.id).update(is_deleted=True, deleted_at=utc_now(), to_remove=total)
    forget_connections_in_removal()  # what this scope remembers of before
    purge_responses(caller=caller)
    details = {"to_remove": total}
    record_event(
        caller=caller, action="connection.deleted", object_type="connection", object_id=found.id, details=details
    )
    return access_connection(caller, found.id)


def _remove_nodes(caller: Caller, found: Connection) -> dict[str, int]:
    nodes = Node.objects.with_removed(caller).filter(connection=found).order_by("id")
    ids = list(nodes.select_for_update().values_list("id", flat=True)[:REMOVED_AT_ONCE])
    if not ids:
        return {}
    announce_nodes(caller.workspace_id, ids)  # with the twins go their relationships
    vectors, _ = NodeEmbedding.objects.of(caller).filter(node_id__in=ids).delete()
    edges = _delete_edges(caller, Q(source_id__in=ids) | Q(target_id__in=ids))
    Change.objects.of(caller).filter(entity_id__in=ids).delete()
    with connection.cursor() as cursor:
        cursor.execute(SQL["delete_nodes"], {"workspace_id": caller.workspace_id, "ids": ids})
    return {"removed_nodes": len(ids), "removed_edges": edges, "removed_vectors": vectors}


def _remove_edges(caller: Caller, found: Connection) -> dict[str, int]:
    mine = Edge.objects.with_removed(caller).filter(connection=found).order_by("id")
    edges = list(mine.select_for_update().only("id", "source_id", "target_id")[:REMOVED_AT_ONCE])
    if not edges:
        return {}
    announce_edges(caller.workspace_id, edges)
    return {"removed_edges": _delete_edges(caller, Q(id__in=[edge.id for edge in edges]))}


def _delete_edges(caller: Caller, which: Q) -> int:
    ids = list(Edge.objects.with_removed(caller).filter(which).values_list("id", flat=True))
    Change.objects.of(caller).filter(entity_id__in=ids).delete()
    deleted, _ = Edge.objects.with_removed(caller).filter(id__in=ids).delete()
    return deleted
