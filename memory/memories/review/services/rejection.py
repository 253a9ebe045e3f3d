"""Rejected memories: what waited by policy and was forgotten leaves its fingerprint alone, once undoing is over."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from functools import partial
from uuid import UUID

from core.clock import utc_now
from memory.memories.review.item_kinds import ReviewState
from memory.models import Memory
from ontology.models import Change, Edge, Node
from ontology.nodes_and_edges.services.outbox import announce_edges, announce_nodes
from workspaces.access.callers import maintenance_caller
from workspaces.access.scope import workspace_scope
from workspaces.access.space_tables import ErasedTable, delete_locked, list_space_tables, select_rows

# Until then the verdict can be taken back.
UNDO_WINDOW = timedelta(hours=1)
ERASED_AT_ONCE = 500


def erase_rejected(*, workspace_id: UUID) -> int:
    """Delete for good what was rejected more than an hour ago, with its history; return the number of memories."""
    caller, erased = maintenance_caller(workspace_id, "review"), 0
    while True:
        with workspace_scope(caller):
            rejected = Memory.objects.of(caller).filter(review=ReviewState.PENDING, node__is_deleted=True)
            over = rejected.filter(node__deleted_at__lt=utc_now() - UNDO_WINDOW).values("pk")[:ERASED_AT_ONCE]
            nodes = (
                Node.objects.with_removed(caller)
                .filter(pk__in=over, is_deleted=True)
                .order_by("pk")
                .select_for_update()
            )
            ids = list(nodes.values_list("pk", flat=True))
            if not ids:
                return erased
            Change.objects.of(caller).filter(entity_id__in=ids).delete()
            table = next(each for each in list_space_tables() if each.model is Node)
            delete_locked(table, workspace_id=workspace_id, ids=ids, before=partial(_announce, workspace_id))
        erased += len(ids)


def _announce(workspace_id: UUID, table: ErasedTable, ids: Sequence[UUID]) -> None:
    if table.model is Node:
        announce_nodes(workspace_id, ids)
    elif table.model is Edge:
        announce_edges(workspace_id, select_rows(Edge).filter(workspace_id=workspace_id, pk__in=ids))
