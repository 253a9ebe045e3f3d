"""Carrying the outbox to the graph: in order, at least once, and without harm when repeated."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

from django.db.models import Q

from core.clock import utc_now
from core.graph import Graph, statements
from ontology.models import GraphLease, GraphOutbox, Node
from workspaces.callers import Caller, system_caller
from workspaces.scope import workspace_scope

CYPHER = statements(Path(__file__).parent.parent / "graph.cypher")
BATCH = 500
# Longer than any batch takes; a relay that was killed holds a workspace up for at most this long.
LEASE = timedelta(seconds=30)


@dataclass(frozen=True, slots=True)
class Drift:
    """How the graph differs from Postgres in one workspace: ids that are missing, superfluous or of another version."""

    missing: tuple[UUID, ...] = ()
    superfluous: tuple[UUID, ...] = ()
    outdated: tuple[UUID, ...] = ()
    compared: int = 0

    @property
    def is_none(self) -> bool:
        return not (self.missing or self.superfluous or self.outdated)


def project_pending(*, workspace_id: UUID, graph: Graph) -> int:
    """Apply the workspace's outbox; answer how many entries. Does nothing while another relay is at it.

    Raises GraphUnavailableError; the entries that were not applied stay.
    """
    caller = system_caller(workspace_id, "projection")
    holder = uuid4()
    applied = 0
    try:
        while _hold_lease(caller, holder) and (batch := _next_batch(caller)):
            _apply(caller, graph, {entry.entity_id for entry in batch})
            _remove(caller, batch)
            applied += len(batch)
    finally:
        _release_lease(caller, holder)
    return applied


def rebuild_graph(*, workspace_id: UUID, graph: Graph) -> int:
    """Empty the workspace's part of the graph and queue every live node again; answer how many."""
    caller = system_caller(workspace_id, "rebuild")
    while graph.write(CYPHER["clear"], workspace_id=workspace_id, limit=10_000)[0]["removed"]:
        pass
    return _queue(caller, Node.objects.live().filter(workspace_id=workspace_id).values_list("id", flat=True).iterator())


def graph_drift(*, workspace_id: UUID, graph: Graph) -> Drift:
    """Compare the graph with Postgres, node by node. Entries that still wait in the outbox show up as drift."""
    caller = system_caller(workspace_id, "doctor")
    with workspace_scope(caller):
        live = Node.objects.live().filter(workspace_id=workspace_id)
        truth = {
            str(identity): (kind, version) for identity, kind, version in live.values_list("id", "type", "version")
        }
    twins = {row["id"]: (row["type"], row["version"]) for row in _twins(workspace_id, graph)}
    return Drift(
        missing=_ids(truth.keys() - twins.keys()),
        superfluous=_ids(twins.keys() - truth.keys()),
        outdated=_ids(key for key in truth.keys() & twins.keys() if truth[key] != twins[key]),
        compared=len(truth),
    )


def repair_drift(*, workspace_id: UUID, drift: Drift, graph: Graph) -> int:
    """Queue what is missing or outdated, and remove twins that nothing stands for; answer how many were queued."""
    caller = system_caller(workspace_id, "doctor")
    suspects = [*drift.missing, *drift.superfluous, *drift.outdated]
    # A twin of a newer version than its row would refuse the row: it is removed first.
    graph.write(
        CYPHER["remove_nodes"], workspace_id=workspace_id, ids=[str(i) for i in (*drift.superfluous, *drift.outdated)]
    )
    return _queue(caller, iter(suspects))


def waiting_entries(*, workspace_id: UUID) -> int:
    """How many outbox entries the graph has not seen yet."""
    with workspace_scope(system_caller(workspace_id, "projection")):
        return GraphOutbox.objects.filter(workspace_id=workspace_id).count()


def _next_batch(caller: Caller) -> list[GraphOutbox]:
    with workspace_scope(caller):
        return list(GraphOutbox.objects.filter(workspace_id=caller.workspace_id).order_by("id")[:BATCH])


def _apply(caller: Caller, graph: Graph, ids: set[UUID]) -> None:
    with workspace_scope(caller):
        nodes = list(Node.objects.live().filter(workspace_id=caller.workspace_id, id__in=ids))
    gone = ids - {node.id for node in nodes}
    if nodes:
        graph.write(CYPHER["put_nodes"], workspace_id=caller.workspace_id, nodes=[_twin(node) for node in nodes])
    if gone:
        graph.write(CYPHER["remove_nodes"], workspace_id=caller.workspace_id, ids=[str(identity) for identity in gone])


def _twin(node: Node) -> dict[str, Any]:
    return {"id": str(node.id), "type": node.type, "version": node.version, "importance": node.importance_score}


def _remove(caller: Caller, batch: list[GraphOutbox]) -> None:
    with workspace_scope(caller):
        GraphOutbox.objects.filter(workspace_id=caller.workspace_id, id__in=[entry.id for entry in batch]).delete()


def _hold_lease(caller: Caller, holder: UUID) -> bool:
    now = utc_now()
    lease = GraphLease(workspace_id=caller.workspace_id, holder=holder, until=now + LEASE)
    with workspace_scope(caller):
        free = Q(holder=holder) | Q(until__lte=now)
        mine = GraphLease.objects.filter(free, workspace_id=caller.workspace_id)
        if mine.update(holder=holder, until=lease.until):
            return True
        GraphLease.objects.bulk_create([lease], ignore_conflicts=True)
        return GraphLease.objects.filter(workspace_id=caller.workspace_id, holder=holder).exists()


def _release_lease(caller: Caller, holder: UUID) -> None:
    with workspace_scope(caller):
        GraphLease.objects.filter(workspace_id=caller.workspace_id, holder=holder).delete()


def _queue(caller: Caller, ids: Iterator[UUID]) -> int:
    with workspace_scope(caller):
        entries = [GraphOutbox(workspace_id=caller.workspace_id, entity="node", entity_id=identity) for identity in ids]
        GraphOutbox.objects.bulk_create(entries, batch_size=2_000)
    return len(entries)


def _twins(workspace_id: UUID, graph: Graph) -> Iterator[dict[str, Any]]:
    after = ""
    while page := graph.read(CYPHER["list_nodes"], workspace_id=workspace_id, after=after, limit=5_000):
        yield from page
        after = page[-1]["id"]


def _ids(keys: Any) -> tuple[UUID, ...]:
    return tuple(sorted(UUID(key) for key in keys))
