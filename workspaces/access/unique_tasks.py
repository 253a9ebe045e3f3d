"""Tasks of which one waits at a time: asking for one again while it waits queues nothing.

`enqueue_in_turn` also leaves room for other workspaces: of one kind one waits in the queue for a workspace, the rest in
a table. Each that begins queues the one that has waited longest, behind what others have queued meanwhile; should it be
lost, the schedule does that (`memory.episodes.tasks.resume_waiting`).

The mark that one waits is a lease, so it is committed or rolled back together with the task, also without Redis. The
task itself calls `note_begin` before it looks for work, so that whatever comes later queues another one.
"""

from __future__ import annotations

from datetime import timedelta

from django.db.models import Q

from core.clock import utc_now
from core.ids import id_from_time
from core.stores import queue
from workspaces.access.callers import Caller
from workspaces.access.leases import take_lease
from workspaces.access.quotas import QuotaExceededError
from workspaces.access.scope import workspace_scope
from workspaces.models import Lease, WaitingTask

WAITING_LEASE = "waiting"
# Before the name of a task that waits for quiet, which `enqueue_waiting` must not take for one that waits its turn.
QUIET = "quiet"
# What is asked for again and again is queued after this time all the same: a chat may never fall quiet.
LONGEST_WAIT_FOR_QUIET = 600
# Of one kind and workspace at a time; the rest a minute later.
MOVED_AT_ONCE = 5_000
# A task that was lost is forgotten after this time.
WAITING_SECONDS = 3_600
# Of one kind, in the queue for one workspace: what another workspace queues waits for no more than this.
QUEUED_AT_ONCE = 1


def enqueue_once(task: str, *, caller: Caller, subject: str, arguments: tuple[str | int, ...] = ()) -> bool:
    """Queue `task(workspace, subject, *arguments)` unless one for this subject waits; return whether it was queued."""
    with workspace_scope(caller):
        if not take_lease(caller=caller, name=_name(task, subject), seconds=WAITING_SECONDS):
            return False
        queue.enqueue(task, str(caller.workspace_id), subject, *arguments)
        return True


def enqueue_in_turn(task: str, *, caller: Caller, subject: str, arguments: tuple[str | int, ...] = ()) -> bool:
    """Do as `enqueue_once`, at once or when it is the workspace's turn."""
    with workspace_scope(caller):
        if is_waiting(task, caller=caller, subject=subject):
            return False
        if _queue_count(task, caller) < QUEUED_AT_ONCE:
            return enqueue_once(task, caller=caller, subject=subject, arguments=arguments)
        later = {"arguments": list(arguments)}
        _, is_new = WaitingTask.objects.get_or_create(
            workspace_id=caller.workspace_id, task=task, subject=subject, defaults=later
        )
        return is_new


def enqueue_waiting(task: str, *, caller: Caller) -> int:
    """Queue those of this kind that have waited longest, as many as there is room for; return their number."""
    with workspace_scope(caller):
        room = QUEUED_AT_ONCE - _queue_count(task, caller)
        if room <= 0:
            return 0
        waiting = WaitingTask.objects.of(caller).filter(task=task).order_by("id").select_for_update()
        for row in (found := list(waiting[:room])):
            row.delete()
            enqueue_once(task, caller=caller, subject=row.subject, arguments=tuple(row.arguments))
        return len(found)


def enqueue_when_quiet(task: str, *, caller: Caller, subject: str, seconds: int) -> None:
    """Note that `task(workspace, subject)` is to be queued once this was not called again for `seconds`, or after ten
    minutes.

    The schedule queues it (`enqueue_quiet`), so it is not lost with a process, and comes up to a minute later.
    """
    due = {"arguments": [int(utc_now().timestamp()) + seconds]}
    with workspace_scope(caller):
        WaitingTask.objects.update_or_create(
            workspace_id=caller.workspace_id, task=f"{QUIET} {task}", subject=subject, defaults=due
        )


def enqueue_quiet(task: str, *, caller: Caller) -> int:
    """Queue tasks that waited for quiet long enough, in turn; return their number.

    They are put into the line all at once: one by one, a flood of conversations would keep the worker for minutes.
    """
    now = utc_now()
    is_quiet = Q(arguments__0__lte=int(now.timestamp()))
    is_overdue = Q(id__lt=id_from_time(now - timedelta(seconds=LONGEST_WAIT_FOR_QUIET)))
    with workspace_scope(caller):
        waiting = WaitingTask.objects.of(caller).filter(is_quiet | is_overdue, task=f"{QUIET} {task}")
        found = list(waiting.order_by("id").select_for_update()[:MOVED_AT_ONCE])
        WaitingTask.objects.of(caller).filter(id__in=[row.id for row in found]).delete()
        queued = Lease.objects.of(caller).filter(name__in=[_name(task, row.subject) for row in found])
        names = set(queued.filter(until__gt=now).values_list("name", flat=True))
        subjects = [row.subject for row in found if _name(task, row.subject) not in names]
        WaitingTask.objects.bulk_create(
            [WaitingTask(workspace_id=caller.workspace_id, task=task, subject=each) for each in subjects],
            ignore_conflicts=True,
        )
        enqueue_waiting(task, caller=caller)
    return len(found)


def note_begin(task: str, *, caller: Caller, subject: str) -> None:
    """Note that the task for this subject waits no more, and queue the next one of its kind."""
    with workspace_scope(caller):
        Lease.objects.of(caller).filter(name=_name(task, subject)).delete()
        enqueue_waiting(task, caller=caller)


def is_waiting(task: str, *, caller: Caller, subject: str) -> bool:
    """Return whether the task for this subject waits."""
    with workspace_scope(caller):
        if Lease.objects.of(caller).filter(name=_name(task, subject), until__gt=utc_now()).exists():
            return True
        return bool(WaitingTask.objects.of(caller).filter(task=task, subject=subject).exists())


def refuse_many(task: str, *, caller: Caller, limit: int, what: str) -> None:
    """Raise QuotaExceededError where this many tasks of this kind wait in the workspace, whatever their subject."""
    with workspace_scope(caller):
        if _queue_count(task, caller) >= limit:
            raise QuotaExceededError(f"At most {limit:,} {what} of a workspace wait at the same time. Try again later.")


def _queue_count(task: str, caller: Caller) -> int:
    return int(Lease.objects.of(caller).filter(name__startswith=_name(task, ""), until__gt=utc_now()).count())


def _name(task: str, subject: str) -> str:
    return f"{WAITING_LEASE} {task} {subject}"
