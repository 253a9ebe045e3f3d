"""Tasks of the working memory: the deletion of slots whose time is over."""

from __future__ import annotations

from memory.working_memory.services import slots
from workspaces.access.callers import maintenance_caller
from workspaces.access.every_workspace import sum_over_workspaces


def delete_expired_slots() -> int:
    """On the schedule: delete slots whose time is over, which no reading finds any more; return their number."""
    return sum_over_workspaces(lambda identity: slots.delete_expired(caller=maintenance_caller(identity, "slots")))
