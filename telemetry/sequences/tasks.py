"""Tasks of sequences: actions are put into sequences as they arrive."""

from __future__ import annotations

import logging
from uuid import UUID

from core.stores import queue
from telemetry.actions.services.action_log import SEQUENCE_TASK
from telemetry.sequences.services import sequences
from workspaces.access.callers import system_caller
from workspaces.access.selectors import all_workspace_ids, current_workspace
from workspaces.settings.workspace_settings import is_memory_enabled

log = logging.getLogger(__name__)


def sequence_workspace(workspace_id: str) -> int:
    """Put a workspace's new actions into sequences."""
    queue.nudge_received(SEQUENCE_TASK, UUID(workspace_id))
    return sequences.sequence_pending(workspace_id=UUID(workspace_id))


def sequence_all() -> int:
    """Put the actions of every workspace into sequences, on the schedule: what a lost nudge left behind."""
    return sum(sequences.sequence_pending(workspace_id=identity) for identity in all_workspace_ids())


def _enabled_workspaces() -> list[UUID]:
    return [
        identity
        for identity in all_workspace_ids()
        if is_memory_enabled(current_workspace(system_caller(identity, "telemetry")))
    ]
