"""Deleting everything of a closed workspace, in short transactions that may be cut short anywhere.

First the rows, children before parents, so that the relay finds nothing to put into the graph; then the graph, while
the relay's lease is held; then Redis; then the row of the workspace, which every other row refers to: from
that commit on PostgreSQL takes no row of it any more. Then everything is looked for again, and only where nothing is
found the erasure is finished.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from uuid import UUID

from django.conf import settings
from django.db import transaction

from core.clock import utc_now
from core.stores import queue, redis
from core.stores.graph import graph
from ontology.graph.services.graph_removal import count_nodes_of_any_label, remove_some_twins
from ontology.graph.services.projection import LEASE_SECONDS, wait_for_relay
from transfer.erasure.workspace_tables import (
    GRAPH_NODES,
    QUEUED_TASKS,
    REDIS_KEYS,
    WorkspaceTable,
    count_left_rows,
    delete_workspace_row,
    list_filled_tables,
)
from transfer.models import WorkspaceErasure
from workspaces.access.callers import Caller, maintenance_caller
from workspaces.access.scope import workspace_scope
from workspaces.models import Lease, Workspace
from workspaces.oauth.services.connected_apps import withdraw_workspace_apps

log = logging.getLogger(__name__)

# At most this number of rows are deleted in one transaction, so that its locks are short.
REMOVED_AT_ONCE = 2_000
# Seconds for which a relay is waited for that holds the lease, or was killed with it.
PATIENCE = LEASE_SECONDS + 5


def remove_some(*, erasure_id: UUID, most: int) -> bool:
    """Delete about this number of rows of a workspace that is being erased; True once nothing of it is found.

    Raises GraphUnavailableError, RedisUnavailableError; IntegrityError where something was added meanwhile.
    """
    erasure = WorkspaceErasure.objects.filter(id=erasure_id, finished_at=None).first()
    if erasure is None:
        return True
    caller = maintenance_caller(erasure.erased_id, "erasure")
    _remove_rows(erasure, caller, {QUEUED_TASKS: lambda: queue.discard_workspace_tasks(erasure.erased_id)})
    withdraw_workspace_apps(caller=caller)
    deleted = 0
    for table in _filled_tables(caller):
        remove = {table.name: partial(table.delete_some, erasure.erased_id, most=REMOVED_AT_ONCE)}
        while number := _remove_rows(erasure, caller, remove):
            deleted += number
            if deleted >= most:
                return False
    if not _empty_graph(erasure, caller):
        return False
    _empty_redis(erasure)
    _remove_workspace(erasure, caller)
    return _finish(erasure)


def recheck(*, erasure_id: UUID) -> bool:
    """Look once more whether anything of an erased workspace is there; if so, the erasure is not finished any more.

    A call that began before the workspace was closed, and was held up, may have written to Redis or the graph since.
    Return whether nothing was found. Raises GraphUnavailableError, RedisUnavailableError.
    """
    erasure = WorkspaceErasure.objects.get(id=erasure_id)
    left = find_left(erasure.erased_id)
    if not any(left.values()):
        WorkspaceErasure.objects.filter(id=erasure_id).update(rechecked_at=utc_now())
        return True
    log.warning("erasure_reopened erasure=%s left=%s", erasure_id, left)
    WorkspaceErasure.objects.filter(id=erasure_id).update(finished_at=None, checks=[])
    return False


def find_left(workspace_id: UUID) -> dict[str, int]:
    """Return what is left of a workspace, by what was looked through.

    Raises GraphUnavailableError, RedisUnavailableError.
    """
    with workspace_scope(maintenance_caller(workspace_id, "erasure")):
        rows = sum(count_left_rows(workspace_id).values())
    return {
        "tables": rows,
        "graph": count_nodes_of_any_label(workspace_id=workspace_id, graph=graph()) if settings.GRAPH_URL else 0,
        "redis": redis.count_workspace_keys(workspace_id) if settings.REDIS_URL else 0,
        "queue": queue.count_lane_tasks(workspace_id),
    }


def note_waiting(*, erasure_id: UUID, store: str) -> None:
    """Note which store an erasure waits for; '' for none."""
    WorkspaceErasure.objects.filter(id=erasure_id).exclude(waits_for=store).update(waits_for=store)


def _filled_tables(caller: Caller) -> list[WorkspaceTable]:
    """Return the tables that are emptied first; leases stay until the end, since one keeps the relay away."""
    with workspace_scope(caller):
        return [table for table in list_filled_tables(caller.workspace_id) if table.model is not Lease]


def _remove_rows(erasure: WorkspaceErasure, caller: Caller, remove: Mapping[str, Callable[[], int]]) -> int:
    """Delete rows of tables, and add their numbers to the receipt in the same transaction; one worker at a time."""
    with workspace_scope(caller):
        held = WorkspaceErasure.objects.select_for_update().get(id=erasure.id)
        numbers = {name: delete() for name, delete in remove.items()}
        _add(held, numbers)
    return sum(numbers.values())


def _note_removed(erasure: WorkspaceErasure, name: str, number: int) -> int:
    """Add what another server has removed. A worker that is killed before leaves it out of the receipt."""
    with transaction.atomic():
        _add(WorkspaceErasure.objects.select_for_update().get(id=erasure.id), {name: number})
    return number


def _add(held: WorkspaceErasure, numbers: Mapping[str, int]) -> None:
    if any(numbers.values()):
        for name, number in numbers.items():
            held.rows[name] = held.rows.get(name, 0) + number
        held.save(update_fields=["rows"])


def _empty_graph(erasure: WorkspaceErasure, caller: Caller) -> bool:
    """Remove the workspace's nodes; return False where the relay is still at work."""
    if not settings.GRAPH_URL:
        return True
    with _keep_relay_away(erasure, caller) as is_alone:
        removed = 1
        while removed:
            if not is_alone():
                return False
            removed = remove_some_twins(workspace_id=erasure.erased_id, graph=graph())
            _note_removed(erasure, GRAPH_NODES, removed)
    return True


@contextmanager
def _keep_relay_away(erasure: WorkspaceErasure, caller: Caller) -> Iterator[Callable[[], bool]]:
    """Hold the relay's lease; yield what renews it and tells whether it is held.

    Without the row of the workspace no relay can take one, nor read a row that it could put into the graph.
    """
    with workspace_scope(caller):
        is_there = Workspace.objects.filter(id=caller.workspace_id).exists()
    lease = wait_for_relay(caller, holder=erasure.id, patience=PATIENCE) if is_there else None
    try:
        yield lambda: not is_there or (lease is not None and lease.renew())
    finally:
        if lease:
            lease.release()


def _empty_redis(erasure: WorkspaceErasure) -> None:
    if settings.REDIS_URL:
        _note_removed(erasure, REDIS_KEYS, redis.delete_workspace_keys(erasure.erased_id))


def _remove_workspace(erasure: WorkspaceErasure, caller: Caller) -> None:
    """Delete the workspace's own row, with what calls have added since its tables were emptied.

    A call that had entered before the workspace was closed, and still adds rows, waits for the lock when it commits:
    they refer to this row, and are refused then. Raises IntegrityError where more is left than a transaction deletes.
    """
    identity = erasure.erased_id
    with workspace_scope(caller):
        Workspace.objects.select_for_update().filter(id=identity).first()
        remove = {
            table.name: partial(table.delete_some, identity, most=REMOVED_AT_ONCE)
            for table in list_filled_tables(identity)
        }
        _remove_rows(erasure, caller, {**remove, "workspaces": partial(delete_workspace_row, identity)})


def _finish(erasure: WorkspaceErasure) -> bool:
    left = find_left(erasure.erased_id)
    if any(left.values()):
        log.warning("erasure_incomplete erasure=%s left=%s", erasure.id, left)
        return False
    now = utc_now()
    unfinished = WorkspaceErasure.objects.filter(id=erasure.id, finished_at=None)
    checks = [{"what": what, "found": found, "at": now.isoformat()} for what, found in left.items()]
    unfinished.update(finished_at=now, checks=checks, waits_for="")
    return True
