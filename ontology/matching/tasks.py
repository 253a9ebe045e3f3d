"""Tasks of matching: looking for nodes that may be one thing."""

from __future__ import annotations

from uuid import UUID

from core.stores import queue
from ontology.matching.services import candidates
from ontology.nodes_and_edges.services.outbox import MATCH_TASK
from workspaces.access.every_workspace import sum_over_workspaces

MATCH_AT_ONCE = 1_000


def match_workspace(workspace_id: str) -> int:
    """Look for nodes that may be one thing, in one workspace; goes on in a further task when there is more."""
    queue.nudge_received(MATCH_TASK, UUID(workspace_id))
    done = candidates.match_pending(workspace_id=UUID(workspace_id), most=MATCH_AT_ONCE)
    if done == MATCH_AT_ONCE:
        queue.enqueue_unless_waiting(MATCH_TASK, workspace_id)
    return done


def match_all() -> int:
    """On the schedule: in every workspace, what a lost nudge left to be looked at."""
    return sum_over_workspaces(lambda identity: candidates.match_pending(workspace_id=identity, most=MATCH_AT_ONCE))
