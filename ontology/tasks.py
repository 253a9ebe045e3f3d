"""Tasks of the ontology: the graph projection, embedding, matching, and the removal of what a connection brought."""

from __future__ import annotations

import logging
import time
from uuid import UUID

from core import queue
from core.backlog import TURN_SECONDS, turn_at
from core.graph import GraphUnavailableError, graph
from ontology.services import connections, embedding, matching, projection, twins
from ontology.services.announcing import EMBED_TASK, MATCH_TASK, PROJECT_TASK
from ontology.services.connections import REMOVE_TASK
from workspaces.callers import system_caller
from workspaces.selectors import all_workspace_ids

log = logging.getLogger(__name__)

# What one task embeds at the most, so that no workspace keeps a worker to itself.
EMBED_AT_ONCE = 512
MATCH_AT_ONCE = 1_000
# Turns of at most 1,000 nodes or edges that one task takes.
REMOVALS_AT_ONCE = 50


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
        twins.take_over_changes(workspace_id=identity)
    waiting = [identity for identity in workspaces if projection.waiting_entries(workspace_id=identity)]
    return sum(project_workspace(str(identity)) for identity in waiting)


def embed_workspace(workspace_id: str) -> int:
    """Embed what waits in one workspace; goes on in a further task when there is more."""
    queue.nudge_received(EMBED_TASK, UUID(workspace_id))
    done = _embed(UUID(workspace_id))
    if done and embedding.is_pending(workspace_id=UUID(workspace_id)):
        queue.enqueue(EMBED_TASK, workspace_id)
    return done


def embed_all() -> int:
    """Every workspace, on the schedule: vectors of another model are queued again, and what waits is embedded."""
    done, until = 0, time.monotonic() + TURN_SECONDS
    for identity in all_workspace_ids():
        embedding.mark_other_models(workspace_id=identity)
        if time.monotonic() < until:
            done += _embed(identity)
    return done


def _embed(workspace_id: UUID) -> int:
    with turn_at(EMBED_TASK, workspace_id) as turn:
        return embedding.embed_pending(workspace_id=workspace_id, most=EMBED_AT_ONCE, turn=turn) if turn else 0


def match_workspace(workspace_id: str) -> int:
    """Look for nodes that may be one thing, in one workspace; goes on in a further task when there is more."""
    queue.nudge_received(MATCH_TASK, UUID(workspace_id))
    done = matching.match_pending(workspace_id=UUID(workspace_id), most=MATCH_AT_ONCE)
    if done == MATCH_AT_ONCE:
        queue.enqueue(MATCH_TASK, workspace_id)
    return done


def match_all() -> int:
    """On the schedule: in every workspace, what a lost nudge left to be looked at."""
    return sum(matching.match_pending(workspace_id=identity, most=MATCH_AT_ONCE) for identity in all_workspace_ids())


def remove_connection(workspace_id: str, connection_id: str) -> bool:
    """Remove what came through a deleted connection; goes on in a further task when there is more."""
    caller = system_caller(UUID(workspace_id), "connections")
    for _ in range(REMOVALS_AT_ONCE):
        if connections.remove_some(caller=caller, connection_id=UUID(connection_id)):
            return True
    queue.enqueue(REMOVE_TASK, workspace_id, connection_id)
    return False


def remove_all() -> int:
    """On the schedule: go on with removals that were cut short; answer how many were found."""
    found = 0
    for identity in all_workspace_ids():
        for unfinished in connections.unfinished_removals(workspace_id=identity):
            remove_connection(str(identity), str(unfinished))
            found += 1
    return found
