"""Task of the worker's heartbeat."""

from __future__ import annotations

from core.stores import queued_tasks
from core.stores.worker import group_name
from workspaces.access.worker_heartbeats import record_heartbeat


def beat() -> None:
    """Note that this worker group ran a task just now; each runs it once a minute, and `/readyz` counts late groups."""
    record_heartbeat(group_name())


def delete_foreign_tasks() -> int:
    """On the schedule: delete queued rows that name another queue, which no worker runs; return their number."""
    return queued_tasks.delete_foreign()
