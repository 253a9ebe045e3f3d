"""Tasks of the graph: carrying the outbox of a workspace to it."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from uuid import UUID

from core.stores import queue
from core.stores.graph import GraphUnavailableError, graph
from ontology.graph.services import projection, telemetry_projection
from ontology.nodes_and_edges.services.outbox import PROJECT_TASK
from workspaces.access.selectors import all_workspace_ids

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
    workspaces = all_workspace_ids()
    for identity in workspaces:
        telemetry_projection.take_over_changes(workspace_id=identity)
    waiting = [identity for identity in workspaces if projection.waiting_entries(workspace_id=identity)]
    if not (waiting and _is_graph_alive(waiting)):
        return 0
    return sum(project_workspace(str(identity)) for identity in waiting)


def _is_graph_alive(waiting: Sequence[UUID]) -> bool:
    """Ask once for all workspaces: a graph that is silent would cost a timeout for each."""
    try:
        graph().ping()
    except GraphUnavailableError:
        log.warning("graph_unavailable the outboxes of %d workspaces wait", len(waiting))
        return False
    return True
