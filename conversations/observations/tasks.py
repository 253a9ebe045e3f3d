"""Tasks of observations: the observer of one workspace, and of all of them on the schedule."""

from __future__ import annotations

import time
from uuid import UUID

from conversations.models import Conversation
from conversations.observations.selectors import due_conversations
from conversations.observations.services.cursors import OBSERVE_TASK
from conversations.observations.services.observer import ObserverRun, observe_conversation
from core.errors import NotFoundError
from core.stores import queue
from workspaces.access.callers import maintenance_caller
from workspaces.access.every_workspace import sum_over_workspaces
from workspaces.access.scope import workspace_scope
from workspaces.access.selectors import current_workspace
from workspaces.access.space_callers import caller_of_row
from workspaces.settings.workspace_settings import is_memory_enabled

# After so long no further batch is begun: other workspaces have their turn.
SECONDS_OF_ONE_TASK = 5.0


def observe_workspace(workspace_id: str) -> int:
    """Observe the conversations of a workspace that are due; goes on in a further task when there is more to do.

    Return the number of batches that were made; none while memory is off.
    """
    workspace = UUID(workspace_id)
    queue.nudge_received(OBSERVE_TASK, workspace)
    if not _is_enabled(workspace):
        return 0
    began, made = time.monotonic(), 0
    for place, identity in enumerate(due_conversations(maintenance_caller(workspace, "observation"))):
        left = SECONDS_OF_ONE_TASK - (time.monotonic() - began)
        has_time = left > 0 or place == 0
        run = _observe(workspace, identity, seconds=left) if has_time else ObserverRun(is_finished=False)
        made += run.batches
        if not run.is_finished:
            queue.enqueue_unless_waiting(OBSERVE_TASK, workspace_id)
            break
    return made


def observe_all() -> int:
    """On the schedule: a task for each workspace whose memory is on and in which a conversation is due."""
    return sum_over_workspaces(_enqueue_due)


def _enqueue_due(workspace: UUID) -> int:
    if not _is_enabled(workspace) or not due_conversations(maintenance_caller(workspace, "observation")):
        return 0
    return int(queue.enqueue_unless_waiting(OBSERVE_TASK, str(workspace)))


def _observe(workspace: UUID, conversation: UUID, *, seconds: float) -> ObserverRun:
    caller = caller_of_row(workspace, "observation", model=Conversation, row_id=conversation)
    if caller is None:
        return ObserverRun()
    with workspace_scope(caller):
        found = Conversation.objects.of(caller).filter(id=conversation).first()
    return observe_conversation(caller=caller, conversation=found, seconds=seconds) if found else ObserverRun()


def _is_enabled(workspace: UUID) -> bool:
    try:
        return is_memory_enabled(current_workspace(maintenance_caller(workspace, "observation")))
    except NotFoundError:  # the workspace was deleted meanwhile
        return False
