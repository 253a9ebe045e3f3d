"""Tasks of the ontology: the graph projection, embedding, matching, and the removal of what a connection brought."""

from __future__ import annotations

import time
from uuid import UUID

from core.stores import queue
from core.stores.claims import TURN_SECONDS, choose_turn
from ontology.nodes_and_edges.services.outbox import EMBED_TASK
from ontology.search.services import node_vectors
from workspaces.access.selectors import all_workspace_ids

# What one task embeds at the most, so that no workspace keeps a worker to itself.
EMBED_AT_ONCE = 512


def embed_workspace(workspace_id: str) -> int:
    """Embed what waits in one workspace; goes on in a further task when there is more."""
    queue.nudge_received(EMBED_TASK, UUID(workspace_id))
    done = _embed_batch(UUID(workspace_id))
    if done and node_vectors.is_pending(workspace_id=UUID(workspace_id)):
        queue.enqueue(EMBED_TASK, workspace_id)
    return done


def embed_all() -> int:
    """Every workspace, on the schedule: vectors of another model are queued again, and what waits is embedded."""
    done, until = 0, time.monotonic() + TURN_SECONDS
    for identity in all_workspace_ids():
        node_vectors.mark_other_models(workspace_id=identity)
        if time.monotonic() < until:
            done += _embed_batch(identity)
    return done


def _embed_batch(workspace_id: UUID) -> int:
    with choose_turn(EMBED_TASK, workspace_id) as turn:
        return node_vectors.embed_pending(workspace_id=workspace_id, most=EMBED_AT_ONCE, turn=turn) if turn else 0
