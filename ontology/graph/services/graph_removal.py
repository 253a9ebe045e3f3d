"""Taking everything of a workspace out of the graph, for good: no row may be left that the relay could put back."""

from __future__ import annotations

from uuid import UUID

from core.stores.graph import Graph, GraphStatement
from ontology.graph.services.projection import CYPHER
from ontology.graph.services.telemetry_projection import CYPHER as TELEMETRY
from ontology.graph.services.telemetry_projection import PROJECTIONS

# Twins that one statement removes, with whatever hangs on them.
REMOVED_AT_ONCE = 2_000


def count_twins(*, workspace_id: UUID, graph: Graph) -> int:
    """Return the number of the workspace's nodes of the kinds that the relay writes. Raises GraphUnavailableError."""
    return sum(_count(graph, statement, workspace_id) for statement in _statements("count"))


def count_nodes_of_any_label(*, workspace_id: UUID, graph: Graph) -> int:
    """Return the number of nodes that carry the workspace, whatever their label; it looks at the whole graph.

    Raises GraphUnavailableError.
    """
    return _count(graph, CYPHER["count_any"], workspace_id)


def remove_some_twins(*, workspace_id: UUID, graph: Graph) -> int:
    """Remove some of the workspace's nodes; return their number, 0 once none is left. Raises GraphUnavailableError."""
    for statement in _statements("clear"):
        if removed := _write(graph, statement, workspace_id):
            return removed
    return _write(graph, CYPHER["clear_any"], workspace_id)


def _statements(verb: str) -> list[GraphStatement]:
    return [CYPHER[verb], *(TELEMETRY[f"{verb}_{kind}s"] for kind in PROJECTIONS)]


def _count(graph: Graph, statement: GraphStatement, workspace_id: UUID) -> int:
    return int(graph.read(statement, workspace_id=workspace_id)[0]["number"])


def _write(graph: Graph, statement: GraphStatement, workspace_id: UUID) -> int:
    return int(graph.write(statement, workspace_id=workspace_id, limit=REMOVED_AT_ONCE)[0]["removed"])
