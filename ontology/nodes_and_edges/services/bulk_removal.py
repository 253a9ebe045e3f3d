"""Deleting many nodes or edges at once, and restoring nodes, each with its line of history."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from django.db.models import F

from core.clock import utc_now
from ontology.models import GOVERNED_TYPES, Edge, Entity, Merge, Node
from ontology.nodes_and_edges.services.change_history import record_changes
from ontology.nodes_and_edges.services.node_writer import change_nodes
from ontology.nodes_and_edges.services.outbox import announce_edges
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope
from workspaces.http.idempotency import purge_responses


def delete_nodes(*, caller: Caller, node_ids: Collection[UUID]) -> list[UUID]:
    """Delete live nodes softly, which hides their edges; return which were still there. Memories are passed over.

    Raises MissingScopeError without `write`.
    """
    return _set_deleted(caller, node_ids, is_deleted=True, action="delete")


def restore_nodes(*, caller: Caller, node_ids: Collection[UUID]) -> list[UUID]:
    """Bring deleted nodes back, and their edges with them; return which. What went into another node stays in it.

    Raises MissingScopeError without `write`.
    """
    return _set_deleted(caller, node_ids, is_deleted=False, action="restore")


def delete_edges(*, caller: Caller, edge_ids: Collection[UUID]) -> list[UUID]:
    """Delete live edges softly; return which were still there. Raises MissingScopeError without `write`."""
    caller.require(Right.WRITE)
    with workspace_scope(caller):
        mine = Edge.objects.in_written_space(caller).filter(id__in=list(edge_ids), is_deleted=False)
        edges = list(mine.order_by("id").select_for_update(of=("self",), no_key=True))
        ids, now = [edge.id for edge in edges], utc_now()
        if not ids:
            return []
        changes = {"is_deleted": True, "deleted_at": now, "updated_at": now, "version": F("version") + 1}
        Edge.objects.of(caller).filter(id__in=ids).update(**changes)
        announce_edges(caller.workspace_id, edges)
        purge_responses(caller=caller)
        record_changes(caller=caller, entity=Entity.EDGE, ids=ids, action="delete", before={"is_deleted": False})
    return ids


def _set_deleted(caller: Caller, node_ids: Collection[UUID], *, is_deleted: bool, action: str) -> list[UUID]:
    caller.require(Right.WRITE)
    with workspace_scope(caller):
        known = Node.objects.of(caller).filter(id__in=list(node_ids), space_id=caller.reach.written)
        free = known.exclude(type__in=sorted(GOVERNED_TYPES))
        if not is_deleted:
            absorbed = Merge.objects.of(caller).filter(undone_at=None).values("absorbed")
            free = free.exclude(id__in=absorbed)
        changed = change_nodes(
            caller=caller,
            node_ids=list(free.values_list("id", flat=True)),
            expected={"is_deleted": not is_deleted},
            changes={"is_deleted": is_deleted, "deleted_at": utc_now() if is_deleted else None},
        )
        record_changes(
            caller=caller, entity=Entity.NODE, ids=changed, action=action, before={"is_deleted": not is_deleted}
        )
    return changed
