"""Tasks of conversations: the word index and the embedding backlog."""

from __future__ import annotations

import time
from uuid import UUID

from conversations.indexing.services import index_writer, message_vectors
from conversations.indexing.services.index_writer import INDEX_TASK
from conversations.messages.services.append import EMBED_TASK
from core.stores import queue
from core.stores.claims import TURN_SECONDS, choose_turn
from workspaces.access.selectors import all_workspace_ids

# What one task embeds at the most, so that no workspace keeps a worker to itself.
EMBED_AT_ONCE = 512


def embed_workspace(workspace_id: str) -> int:
    """Embed the messages that wait in one workspace; goes on in a further task when there are more."""
    queue.nudge_received(EMBED_TASK, UUID(workspace_id))
    done = _embed_batch(UUID(workspace_id))
    if done and message_vectors.is_pending(workspace_id=UUID(workspace_id)):
        queue.enqueue(EMBED_TASK, workspace_id)
    return done


def embed_all() -> int:
    """Every workspace, on the schedule: vectors of another model are queued again, and what waits is embedded."""
    done, until = 0, time.monotonic() + TURN_SECONDS
    for identity in all_workspace_ids():
        message_vectors.mark_other_models(workspace_id=identity)
        if time.monotonic() < until:
            done += _embed_batch(identity)
    return done


def _embed_batch(workspace_id: UUID) -> int:
    with choose_turn(EMBED_TASK, workspace_id) as turn:
        return message_vectors.embed_pending(workspace_id=workspace_id, most=EMBED_AT_ONCE, turn=turn) if turn else 0


def index_workspace(workspace_id: str) -> int:
    """Bring one workspace's word index up to date: sheets that are missing, blocks that are torn or due."""
    queue.nudge_received(INDEX_TASK, UUID(workspace_id))
    return index_writer.index_pending(workspace_id=UUID(workspace_id))


def index_all() -> int:
    """Every workspace's word index, on the schedule: also takes out of it what has been deleted."""
    return sum(index_writer.index_pending(workspace_id=identity) for identity in all_workspace_ids())
