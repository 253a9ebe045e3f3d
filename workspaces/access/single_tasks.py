"""Tasks of which one waits at a time: asking for one again while it waits queues nothing.

The mark that one waits is a lease, so it is committed or rolled back together with the task, also without Redis. The
task itself calls `note_begin` before it looks for work, so that whatever comes later queues another one.
"""

from __future__ import annotations

from core.clock import utc_now
from core.stores import queue
from workspaces.access.callers import Caller
from workspaces.access.leases import take_lease
from workspaces.access.quotas import QuotaExceededError
from workspaces.access.scope import workspace_scope
from workspaces.models import Lease

WAITING_LEASE = "waiting"
# A task that was lost is forgotten after this time.
WAITING_SECONDS = 3_600


def enqueue_once(task: str, *, caller: Caller, subject: str, arguments: tuple[str | int, ...] = ()) -> bool:
    """Queue `task(workspace, subject, *arguments)` unless one for this subject waits; return whether it was queued."""
    with workspace_scope(caller):
        if not take_lease(caller=caller, name=_name(task, subject), seconds=WAITING_SECONDS):
            return False
        queue.enqueue(task, str(caller.workspace_id), subject, *arguments)
        return True


def note_begin(task: str, *, caller: Caller, subject: str) -> None:
    """Note that the task for this subject waits no more."""
    with workspace_scope(caller):
        Lease.objects.of(caller).filter(name=_name(task, subject)).delete()


def is_waiting(task: str, *, caller: Caller, subject: str) -> bool:
    """Return whether the task for this subject waits."""
    with workspace_scope(caller):
        return bool(Lease.objects.of(caller).filter(name=_name(task, subject), until__gt=utc_now()).exists())


def refuse_many(task: str, *, caller: Caller, limit: int, what: str) -> None:
    """Raise QuotaExceededError where this many tasks of this kind wait in the workspace, whatever their subject."""
    with workspace_scope(caller):
        waiting = Lease.objects.of(caller).filter(name__startswith=_name(task, ""), until__gt=utc_now())
        if waiting.count() >= limit:
            raise QuotaExceededError(f"At most {limit:,} {what} of a workspace wait at the same time. Try again later.")


def _name(task: str, subject: str) -> str:
    return f"{WAITING_LEASE} {task} {subject}"
