"""Tasks of connections: the removal of what a deleted one brought."""

from __future__ import annotations

from uuid import UUID

from ontology.connections import services
from ontology.connections.services import REMOVE_TASK
from workspaces.access.callers import maintenance_caller
from workspaces.access.every_workspace import sum_over_workspaces
from workspaces.access.unique_tasks import enqueue_once, note_begin

# Turns of at most 1,000 nodes or edges that one task takes.
REMOVALS_AT_ONCE = 50


def remove_connection(workspace_id: str, connection_id: str) -> bool:
    """Remove what came through a deleted connection; goes on in a further task when there is more."""
    caller = maintenance_caller(UUID(workspace_id), "connections")
    note_begin(REMOVE_TASK, caller=caller, subject=connection_id)
    for _ in range(REMOVALS_AT_ONCE):
        if services.remove_some(caller=caller, connection_id=UUID(connection_id)):
            return True
    enqueue_once(REMOVE_TASK, caller=caller, subject=connection_id)
    return False


def remove_all() -> int:
    """On the schedule: go on with removals that were cut short; return the number that were found."""
    return sum_over_workspaces(_remove_unfinished)


def _remove_unfinished(workspace_id: UUID) -> int:
    unfinished = services.unfinished_removals(workspace_id=workspace_id)
    for connection_id in unfinished:
        remove_connection(str(workspace_id), str(connection_id))
    return len(unfinished)
