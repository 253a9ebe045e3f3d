"""Tasks of recall, every night: what confidence is worth in each workspace, and receipts whose time is over."""

from __future__ import annotations

from uuid import UUID

from core.clock import utc_now
from core.errors import NotFoundError
from core.stores import queue
from memory.recall.receipts.services.receipt_writer import delete_expired_receipts
from memory.recall.services.recalibration import recalibrate
from workspaces.access.callers import maintenance_caller
from workspaces.access.selectors import all_workspace_ids

CALIBRATE_TASK = "memory.recall.tasks.calibrate_workspace"
EXPIRE_TASK = "memory.recall.tasks.expire_receipts"


def calibrate_workspace(workspace_id: str) -> int:
    """Fit one workspace's confidence to what its runs cited; return the number of layers with enough citations."""
    return recalibrate(workspace_id=UUID(workspace_id))


def calibrate_all() -> int:
    """On the schedule: a task for each workspace, so that one that fails stops no other; return their number."""
    every = all_workspace_ids()
    for identity in every:
        queue.enqueue_unless_waiting(CALIBRATE_TASK, str(identity))
    return len(every)


def expire_receipts(workspace_id: str) -> int:
    """Delete one workspace's receipts that are older than its retention; return their number."""
    try:
        return delete_expired_receipts(caller=maintenance_caller(UUID(workspace_id), "retention"), now=utc_now())
    except NotFoundError:  # the workspace was deleted meanwhile
        return 0


def expire_all_receipts() -> int:
    """On the schedule: a task for each workspace; return their number."""
    every = all_workspace_ids()
    for identity in every:
        queue.enqueue_unless_waiting(EXPIRE_TASK, str(identity))
    return len(every)
