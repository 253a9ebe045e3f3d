"""Telemetry in the graph: twins of actions, sequences, patterns and benchmarks, one edge away from what was touched.

Telemetry does not know the graph. It leaves changes behind, which the relay takes over into its own outbox.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

from django.db import connection, models

from core.clock import moment
from core.db.locks import wait_for_lock
from core.stores.graph import Graph, statements
from ontology.graph.services.history_links import project_histories, standing_nodes
from ontology.models import GraphOutbox, Node, Projected
from ontology.nodes_and_edges.services.outbox import SQL
from telemetry.models import Action, Benchmark, Pattern
from telemetry.models import Sequence as SequenceRow
from workspaces.access.callers import Caller, maintenance_caller
from workspaces.access.scope import workspace_scope

CYPHER = statements(Path(__file__).parent.parent / "telemetry.cypher")
AT_ONCE = 500
# Nodes that a pattern hangs on at most, and the newest actions of a space that are looked through for them.
MAX_PATTERN_NODES = 100
ACTIONS_LOOKED_AT = 20_000
CHANGES_LOCK = "telemetry changes"

Rows = list[dict[str, Any]]


def take_over_changes(*, workspace_id: UUID) -> int:
    """Enter what changed in telemetry into the outbox, a sequence with its new actions; return the number of
    entries."""
    entered = 0
    while added := _take_some(workspace_id):
        entered += added
    return entered


def project_telemetry(caller: Caller, graph: Graph, batch: Sequence[GraphOutbox]) -> None:
    """Bring the twins of a batch to what the rows are now; what is not a row any more loses its twin."""
    wanted = {kind: {entry.entity_id for entry in batch if entry.entity == kind} for kind in PROJECTIONS}
    for kind, ids in wanted.items():
        if not ids:
            continue
        with workspace_scope(caller):
            rows = PROJECTIONS[kind](caller, ids)
        _write(graph, caller, f"put_{kind}s", rows)
        gone = ids - {UUID(row["id"]) for row in rows}
        _write(graph, caller, f"remove_{kind}s", [{"id": str(identity)} for identity in gone])
        if kind == Projected.ACTION:
            links = [{"id": row["id"], "node": node} for row in rows for node in row["node_ids"]]
            _write(graph, caller, "link_touched", links)
            _write(graph, caller, "link_sequences", [row for row in rows if row["sequence"]])
        if kind == Projected.PATTERN:
            _relink_patterns(graph, caller, rows)
    if histories := {entry.entity_id for entry in batch if entry.entity == Projected.HISTORY}:
        project_histories(caller, graph, CYPHER, histories)
        with workspace_scope(caller):
            # Their twins are new, and no edge of a pattern leads to them yet.
            kinds = set(Node.objects.of(caller).filter(id__in=histories).values_list("type", flat=True))
            about = Pattern.objects.of(caller).filter(node_type__in=kinds).values_list("id", flat=True)
            rows = [{"id": str(identity)} for identity in about]
        _relink_patterns(graph, caller, rows)


def clear_telemetry(*, workspace_id: UUID, graph: Graph) -> None:
    """Empty the workspace's telemetry out of the graph."""
    for kind in PROJECTIONS:
        while graph.write(CYPHER[f"clear_{kind}s"], workspace_id=workspace_id, limit=10_000)[0]["removed"]:
            pass


def _take_some(workspace_id: UUID) -> int:
    with workspace_scope(maintenance_caller(workspace_id, "projection")), connection.cursor() as cursor:
        wait_for_lock(CHANGES_LOCK, workspace_id)
        cursor.execute(SQL["take_over_changes"], {"workspace_id": workspace_id, "most": AT_ONCE})
        return int(cursor.rowcount)


def _write(graph: Graph, caller: Caller, statement: str, rows: Rows) -> None:
    if rows:
        graph.write(CYPHER[statement], workspace_id=caller.workspace_id, rows=rows)


def _relink_patterns(graph: Graph, caller: Caller, rows: Rows) -> None:
    _write(graph, caller, "unlink_patterns", rows)
    _write(graph, caller, "link_patterns", _pattern_links(caller, [row["id"] for row in rows]) if rows else [])


def _actions(caller: Caller, ids: set[UUID]) -> Rows:
    holding = SequenceRow.objects.of(caller).filter(
        reporter=models.OuterRef("reporter"),
        session=models.OuterRef("session"),
        started_at__lte=models.OuterRef("occurred_at"),
        ended_at__gte=models.OuterRef("occurred_at"),
    )
    found = Action.objects.of(caller).filter(id__in=ids).annotate(sequence=models.Subquery(holding.values("id")[:1]))
    standing = standing_nodes(caller, {node for action in found for node in action.node_ids})
    return [
        {
            "id": str(action.id),
            "type": action.action_type,
            "outcome": action.outcome,
            "at": moment(action.occurred_at),
            "node_ids": sorted({str(standing[identity]) for identity in action.node_ids}),
            "sequence": str(sequence) if (sequence := vars(action)["sequence"]) else None,
        }
        for action in found
    ]


def _sequences(caller: Caller, ids: set[UUID]) -> Rows:
    found = SequenceRow.objects.of(caller).filter(id__in=ids)
    return [
        {
            "id": str(one.id),
            "outcome": one.outcome,
            "actions": one.action_count,
            "started_at": moment(one.started_at),
            "ended_at": moment(one.ended_at),
        }
        for one in found
    ]


def _patterns(caller: Caller, ids: set[UUID]) -> Rows:
    found = Pattern.objects.of(caller).filter(id__in=ids)
    return [
        {
            "id": str(one.id),
            "key": one.key,
            "status": one.status,
            "confidence": one.confidence,
            "support": one.support,
            "suppressed": one.is_suppressed,
        }
        for one in found
    ]


def _pattern_links(caller: Caller, ids: Sequence[str]) -> Rows:
    """Return what patterns are about: nodes that their actions touched, else the newest nodes of their type."""
    given: dict[str, Any] = {"workspace_id": caller.workspace_id, "most": MAX_PATTERN_NODES}
    with workspace_scope(caller), connection.cursor() as cursor:
        cursor.execute(SQL["pattern_nodes"], {**given, "ids": list(ids), "looked_at": ACTIONS_LOOKED_AT})
        found = cursor.fetchall()
        bare = sorted({*ids} - {str(pattern) for pattern, _ in found})
        cursor.execute(SQL["pattern_type_nodes"], {**given, "ids": bare})
        found += cursor.fetchall()
        standing = standing_nodes(caller, {node for _, node in found})
    return [{"id": str(pattern), "node": str(standing[node])} for pattern, node in found]


def _benchmarks(caller: Caller, ids: set[UUID]) -> Rows:
    found = Benchmark.objects.of(caller).filter(id__in=ids)
    return [
        {
            "id": str(one.id),
            "metric": str(one.metric_id),
            "date": one.date.isoformat(),
            "value": one.value,
            "sequences": one.sequences,
        }
        for one in found
    ]


PROJECTIONS: Mapping[str, Any] = {
    Projected.SEQUENCE: _sequences,
    Projected.ACTION: _actions,
    Projected.PATTERN: _patterns,
    Projected.BENCHMARK: _benchmarks,
}
