"""Tasks of recall: what confidence is worth in each workspace, every night."""

from __future__ import annotations

from uuid import UUID

from core.stores import queue
from memory.recall.services.recalibration import recalibrate
from workspaces.access.selectors import all_workspace_ids

CALIBRATE_TASK = "memory.recall.tasks.calibrate_workspace"


def calibrate_workspace(workspace_id: str) -> int:
    """Fit one workspace's confidence to what its runs cited; return the number of layers with enough citations."""
    return recalibrate(workspace_id=UUID(workspace_id))


def calibrate_all() -> int:
    """On the schedule: a task for each workspace, so that one that fails stops no other; return their number."""
    every = all_workspace_ids()
    for identity in every:
        queue.enqueue_unless_waiting(CALIBRATE_TASK, str(identity))
    return len(every)
