"""Tasks of erasure: going on with what is too large for one call, or was cut short."""

from __future__ import annotations

import logging
from uuid import UUID

from django.db import IntegrityError

from core.stores.redis import RedisUnavailableError
from transfer.erasure import services
from transfer.erasure.services import ERASE_TASK
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
        if services.erase_some(workspace_id=caller.workspace_id, space_id=UUID(space_id), most=ERASED_IN_A_TASK):
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


def _erase_unfinished(workspace_id: UUID) -> int:
    unfinished = services.unfinished_erasures(workspace_id=workspace_id)
    for space_id in unfinished:
        erase_space(str(workspace_id), str(space_id))
    return len(unfinished)
