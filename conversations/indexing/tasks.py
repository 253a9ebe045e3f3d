"""Tasks of conversations: the word index."""

from __future__ import annotations

from uuid import UUID

from conversations.indexing.services import index_writer
from conversations.indexing.services.index_writer import INDEX_TASK
from core.stores import queue
from workspaces.access.every_workspace import sum_over_workspaces


def index_workspace(workspace_id: str) -> int:
    """Bring one workspace's word index up to date: sheets that are missing, blocks that are torn or due."""
    queue.nudge_received(INDEX_TASK, UUID(workspace_id))
    return index_writer.index_pending(workspace_id=UUID(workspace_id))


def index_all() -> int:
    """Index every workspace, on the schedule; also remove from the index what has been deleted."""
    return sum_over_workspaces(lambda identity: index_writer.index_pending(workspace_id=identity))
