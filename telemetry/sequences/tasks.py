"""Tasks of sequences: actions are put into sequences as they arrive."""

from __future__ import annotations

from uuid import UUID

from core.stores import queue
from telemetry.actions.services.action_log import SEQUENCE_TASK
from telemetry.sequences.services import sequencer
from workspaces.access.every_workspace import sum_over_workspaces


def sequence_workspace(workspace_id: str) -> int:
    """Put a workspace's new actions into sequences."""
    queue.nudge_received(SEQUENCE_TASK, UUID(workspace_id))
    return sequencer.sequence_pending(workspace_id=UUID(workspace_id))


def sequence_all() -> int:
    """Put the actions of every workspace into sequences, on the schedule: what a lost nudge left behind."""
    return sum_over_workspaces(lambda identity: sequencer.sequence_pending(workspace_id=identity))
