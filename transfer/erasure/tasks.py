"""Tasks of erasure: going on with what is too large for one call, or was cut short."""

from __future__ import annotations

import logging
from uuid import UUID

from django.db import IntegrityError

from core.stores import queue
from core.stores.graph import GraphUnavailableError
from core.stores.redis import RedisUnavailableError
from transfer.erasure import selectors
from transfer.erasure.services import space_erasure, workspace_removal
from transfer.erasure.services.space_erasure import ERASE_TASK
from transfer.erasure.services.workspace_erasure import ERASE_WORKSPACE_TASK
from workspaces.access.callers import maintenance_caller
from workspaces.access.every_workspace import sum_over_workspaces
from workspaces.access.unique_tasks import enqueue_once, note_begin

log = logging.getLogger(__name__)
# Rows that one task deletes.
ERASED_IN_A_TASK = 50_000


def erase_space(workspace_id: str, space_id: str) -> bool:
    """Go on with the erasure of a space, and in a further task when there is more; return whether it is done."""
    caller = maintenance_caller(UUID(workspace_id), "erasure")
    note_begin(ERASE_TASK, caller=caller, subject=space_id)
    try:
        if space_erasure.erase_some(workspace_id=caller.workspace_id, space_id=UUID(space_id), most=ERASED_IN_A_TASK):
            return True
    except RedisUnavailableError:
        log.warning("redis_unavailable the erasure of space %s waits", space_id)
        return False  # the schedule tries again
    except IntegrityError:
        log.info("erasure_repeated something was added to space %s meanwhile", space_id)
    enqueue_once(ERASE_TASK, caller=caller, subject=space_id)
    return False


def erase_all() -> int:
    """On the schedule: go on with erasures that were cut short; return the number that were found."""
    return sum_over_workspaces(_erase_unfinished)


def erase_workspace(erasure_id: str) -> bool:
    """Go on with the erasure of a workspace, and in a further task when there is more; return whether it is done."""
    identity = UUID(erasure_id)
    try:
        if workspace_removal.remove_some(erasure_id=identity, most=ERASED_IN_A_TASK):
            return True
        workspace_removal.note_waiting(erasure_id=identity, store="")
    except (GraphUnavailableError, RedisUnavailableError) as error:
        store = "graph" if isinstance(error, GraphUnavailableError) else "redis"
        log.warning("erasure_waits erasure=%s for=%s", erasure_id, store)
        workspace_removal.note_waiting(erasure_id=identity, store=store)
        return False  # the schedule tries again
    except IntegrityError:
        log.info("erasure_repeated something was added meanwhile to what erasure %s deletes", erasure_id)
    queue.enqueue_unless_waiting(ERASE_WORKSPACE_TASK, erasure_id)
    return False


def erase_workspaces() -> int:
    """On the schedule: have erasures of workspaces go on that no task is at, and look again at those that were finished
    a while ago; return the number that go on.
    """
    for identity in selectors.erasures_to_recheck():
        try:
            workspace_removal.recheck(erasure_id=identity)
        except (GraphUnavailableError, RedisUnavailableError):
            log.warning("erasure_unchecked erasure=%s", identity)
    # A task of its own has the erasure as its first argument, which is the lane that it waits and runs in.
    idle = [each for each in selectors.unfinished_workspace_erasures() if not queue.count_lane_tasks(each)]
    for identity in idle:
        queue.enqueue_unless_waiting(ERASE_WORKSPACE_TASK, str(identity))
    return len(idle)


def _erase_unfinished(workspace_id: UUID) -> int:
    unfinished = space_erasure.unfinished_erasures(workspace_id=workspace_id)
    for space_id in unfinished:
        erase_space(str(workspace_id), str(space_id))
    return len(unfinished)
