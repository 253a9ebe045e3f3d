"""Tasks of undos: going on with what is too large for one call, or was cut short."""

from __future__ import annotations

from uuid import UUID

from transfer.undo.services.undo_jobs import UNDO_TASK, unfinished_undos
from transfer.undo.services.undo_steps import take_some
from workspaces.access.callers import maintenance_caller
from workspaces.access.every_workspace import sum_over_workspaces
from workspaces.access.unique_tasks import enqueue_once, note_begin

# Things that one task takes back.
TAKEN_IN_A_TASK = 500


def take_back(workspace_id: str, undo_id: str) -> bool:
    """Go on with an undo or its reversal, and in a further task when there is more; return whether it is over."""
    caller = maintenance_caller(UUID(workspace_id), "undo")
    note_begin(UNDO_TASK, caller=caller, subject=undo_id)
    if take_some(workspace_id=caller.workspace_id, undo_id=UUID(undo_id), most=TAKEN_IN_A_TASK):
        return True
    enqueue_once(UNDO_TASK, caller=caller, subject=undo_id)
    return False


def resume_all() -> int:
    """On the schedule: in every workspace, queue undos that were cut short; return the number that go on."""
    return sum_over_workspaces(_resume_unfinished)


def _resume_unfinished(workspace_id: UUID) -> int:
    caller = maintenance_caller(workspace_id, "undo")
    return sum(
        enqueue_once(UNDO_TASK, caller=caller, subject=str(undo_id)) for undo_id in unfinished_undos(caller=caller)
    )
