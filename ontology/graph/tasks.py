"""Tasks of the graph: carrying the outbox of a workspace to it."""

from __future__ import annotations

import logging
from functools import cache
from uuid import UUID

from core.stores import queue
from core.stores.graph import GraphUnavailableError, graph
from ontology.graph.services import projection, telemetry_projection
from ontology.nodes_and_edges.services.outbox import PROJECT_TASK
from workspaces.access.every_workspace import sum_over_workspaces

log = logging.getLogger(__name__)


def project_workspace(workspace_id: str) -> int:
    """Carry one workspace's outbox to the graph; a dead graph leaves it waiting for the next turn."""
    queue.nudge_received(PROJECT_TASK, UUID(workspace_id))
    try:
        graph().ping()  # or the retries of every write would keep the worker from everything else
        return projection.project_pending(workspace_id=UUID(workspace_id), graph=graph())
    except GraphUnavailableError:
        log.warning("graph_unavailable the outbox of workspace %s waits", workspace_id)
        return 0


def project_all() -> int:
    """On the schedule: what changed in telemetry, and what a lost nudge or a dead graph left in an outbox."""
    is_alive = cache(_is_graph_alive)  # asked once: a graph that is silent would cost a timeout for each workspace

    def project(identity: UUID) -> int:
        telemetry_projection.take_over_changes(workspace_id=identity)
        is_waiting = projection.waiting_entries(workspace_id=identity)
        return project_workspace(str(identity)) if is_waiting and is_alive() else 0

    return sum_over_workspaces(project)


def _is_graph_alive() -> bool:
    try:
        graph().ping()
    except GraphUnavailableError:
        log.warning("graph_unavailable all outboxes wait")
        return False
    return True
