"""Tasks of the ontology: the graph projection and the embedding backlog."""

from __future__ import annotations

import logging
from uuid import UUID

from core import queue
from core.graph import GraphUnavailableError, graph
from ontology.services import embedding, projection
from ontology.services.announcing import EMBED_TASK, PROJECT_TASK
from workspaces.selectors import all_workspace_ids

log = logging.getLogger(__name__)

# What one task embeds at the most, so that no workspace keeps a worker to itself.
EMBED_AT_ONCE = 512


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
    """Every workspace with a waiting outbox, on the schedule: finds what a lost nudge or a dead graph left behind."""
    waiting = [identity for identity in all_workspace_ids() if projection.waiting_entries(workspace_id=identity)]
    return sum(project_workspace(str(identity)) for identity in waiting)


def embed_workspace(workspace_id: str) -> int:
    """Embed what waits in one workspace; goes on in a further task when there is more."""
    queue.nudge_received(EMBED_TASK, UUID(workspace_id))
    done = embedding.embed_pending(workspace_id=UUID(workspace_id), most=EMBED_AT_ONCE)
    if done == EMBED_AT_ONCE:
        queue.enqueue(EMBED_TASK, workspace_id)
    return done


def embed_all() -> int:
    """Every workspace, on the schedule: vectors of another model are queued again, and what waits is embedded."""
    done = 0
    for identity in all_workspace_ids():
        embedding.mark_other_models(workspace_id=identity)
        done += embedding.embed_pending(workspace_id=identity, most=EMBED_AT_ONCE)
    return done
