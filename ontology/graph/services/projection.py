"""Carrying the outbox to the graph: in order, at least once, and without harm when repeated."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

from django.db import connection

from core.stores.graph import Graph, statements
from ontology.graph.services.telemetry_projection import clear_telemetry, project_telemetry
from ontology.models import Edge, Entity, GraphOutbox, Node
from ontology.nodes_and_edges.services.outbox import SQL, announce_node_edges
from workspaces.access.callers import Caller, maintenance_caller
from workspaces.access.leases import HeldLease, hold_lease, take_lease
from workspaces.access.scope import workspace_scope

CYPHER = statements(Path(__file__).parent.parent / "graph.cypher")
BATCH = 500
Link = tuple[UUID, UUID | None, UUID | None]
PROJECTION_LEASE = "projection"
# Longer than any batch takes; a relay that was killed holds a workspace up for at most this long.
LEASE_SECONDS = 30
# Between two looks of who waits for a relay.
PAUSE_SECONDS = 0.5


def project_pending(*, workspace_id: UUID, graph: Graph) -> int:
    """Apply the workspace's outbox; return the number of entries. Does nothing while another relay is at it.

    Raises GraphUnavailableError; the entries that were not applied stay.
    """
    caller = maintenance_caller(workspace_id, "projection")
    applied = 0
    with hold_lease(caller=caller, name=PROJECTION_LEASE, seconds=LEASE_SECONDS) as lease:
        while lease and lease.renew() and (batch := _next_batch(caller)):
            _apply(caller, graph, batch)
            _settle(caller, lease, batch)
            applied += len(batch)
    return applied


def rebuild_graph(*, workspace_id: UUID, graph: Graph) -> int:
    """Empty the workspace's part of the graph, queue all that has a twin; return their number."""
    caller = maintenance_caller(workspace_id, "rebuild")
    while graph.write(CYPHER["clear"], workspace_id=workspace_id, limit=10_000)[0]["removed"]:
        pass
    clear_telemetry(workspace_id=workspace_id, graph=graph)
    with workspace_scope(caller):
        return queue_all(caller)


def queue_all(caller: Caller) -> int:
    """Enter all that has a twin into the outbox, in the caller's open scope; return the number of entries."""
    queued = 0
    with connection.cursor() as cursor:
        for statement in ("queue_nodes", "queue_edges", "queue_telemetry"):
            cursor.execute(SQL[statement], {"workspace_id": caller.workspace_id})
            queued += cursor.rowcount
    return queued


def wait_for_relay(caller: Caller, *, holder: UUID, patience: float) -> HeldLease | None:
    """Return the relay's lease, with which no relay writes to the graph; None where one holds it all these seconds.

    One that died with the lease of the same `holder` gives it over at once.
    """
    until = time.monotonic() + patience
    while (
        lease := take_lease(caller=caller, name=PROJECTION_LEASE, seconds=LEASE_SECONDS, holder=holder)
    ) is None and time.monotonic() < until:
        time.sleep(PAUSE_SECONDS)
    return lease


def waiting_entries(*, workspace_id: UUID) -> int:
    """Return how many outbox entries the graph has not seen yet."""
    with workspace_scope(maintenance_caller(workspace_id, "projection")):
        return GraphOutbox.objects.filter(workspace_id=workspace_id).count()


def _next_batch(caller: Caller) -> list[GraphOutbox]:
    with workspace_scope(caller):
        return list(GraphOutbox.objects.of(caller).order_by("id")[:BATCH])


def _apply(caller: Caller, graph: Graph, batch: Sequence[GraphOutbox]) -> None:
    """Bring the graph to what the rows are now: nodes first, since an edge needs both its ends."""
    nodes = {entry.entity_id for entry in batch if entry.entity == Entity.NODE}
    edges = {(entry.entity_id, entry.source_id, entry.target_id) for entry in batch if entry.entity == Entity.EDGE}
    with workspace_scope(caller):
        mine = Node.objects.of(caller).filter(id__in=nodes, is_deleted=False)
        live = list(mine.only("id", "type", "version", "importance_score"))
        visible = _visible_edges(caller, {identity for identity, _, _ in edges})
    present: dict[Link, Edge] = {(edge.id, edge.source_id, edge.target_id): edge for edge in visible}
    for statement, rows in (
        ("put_nodes", [_node_twin(node) for node in live]),
        ("remove_nodes", [{"id": str(identity)} for identity in nodes - {node.id for node in live}]),
        ("remove_edges", [_ends(*key) for key in edges - present.keys()]),
        ("put_edges", [_edge_twin(present[key]) for key in edges & present.keys()]),
    ):
        if rows:
            graph.write(CYPHER[statement], workspace_id=caller.workspace_id, rows=rows)
    project_telemetry(caller, graph, batch)


def _visible_edges(caller: Caller, ids: set[UUID]) -> list[Edge]:
    found = Edge.objects.of(caller).visible().filter(id__in=ids)
    return list(found.only("id", "type", "version", "source_id", "target_id"))


def _node_twin(node: Node) -> dict[str, Any]:
    return {"id": str(node.id), "type": node.type, "version": node.version, "importance": node.importance_score}


def _edge_twin(edge: Edge) -> dict[str, Any]:
    return {**_ends(edge.id, edge.source_id, edge.target_id), "type": edge.type, "version": edge.version}


def _ends(identity: UUID, source: UUID | None, target: UUID | None) -> dict[str, str]:
    return {"id": str(identity), "source": str(source), "target": str(target)}


def _settle(caller: Caller, lease: HeldLease, batch: Sequence[GraphOutbox]) -> None:
    """Take the applied entries out of the outbox.

    A relay that was held up for longer than its lease may have written over what the next one wrote: it enters its
    batch once more instead, at the end, so that the graph learns of the rows as they are now. A twin that it removed
    took relationships along that no entry of its own tells of.
    """
    with workspace_scope(caller):
        if not lease.is_current():
            again = [_copy(entry) for entry in batch]
            GraphOutbox.objects.bulk_create(again)
            nodes = [entry.entity_id for entry in batch if entry.entity == Entity.NODE]
            announce_node_edges(caller.workspace_id, nodes)
        GraphOutbox.objects.of(caller).filter(id__in=[entry.id for entry in batch]).delete()


def _copy(entry: GraphOutbox) -> GraphOutbox:
    return GraphOutbox(
        workspace_id=entry.workspace_id,
        entity=entry.entity,
        entity_id=entry.entity_id,
        source_id=entry.source_id,
        target_id=entry.target_id,
    )
