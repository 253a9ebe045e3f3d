"""Giving work to the task queue: enqueueing, nudging, and the schedule table."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from uuid import UUID, uuid4

from django.conf import settings
from django.db import transaction

from core.clock import utc_now
from core.stores import queued_tasks, redis
from core.stores.queued_tasks import QueuedTask

log = logging.getLogger(__name__)

# A nudge that still waits stands for every later one; should its task be lost, it is forgotten after this many seconds.
NUDGE_SECONDS = 30
# Each worker group looks at the schedule within seconds; a line that is this late is looked at by none.
OVERDUE_AFTER = timedelta(minutes=3)


@dataclass(frozen=True, slots=True)
class Scheduled:
    """One line of the schedule: a task without arguments and when it runs (cron, five fields, UTC)."""

    name: str
    task: str
    cron: str


def enqueue(task: str, *ids: str | int) -> None:
    """Queue a task by its dotted path. The queue is a table: the task exists once the transaction commits."""
    queued_tasks.add(QueuedTask(id=uuid4().hex, path=task, args=ids))


def enqueue_unless_waiting(task: str, *ids: str | int) -> bool:
    """Queue a task unless the same one waits already, and return whether it was queued.

    For tasks that find their work when they begin: the one that waits will do what this one would.
    """
    return queued_tasks.add_unless_waiting(QueuedTask(id=uuid4().hex, path=task, args=ids))


def enqueue_long(task: str, *ids: str | int) -> None:
    """Enqueue a task that may take `LONG_TASK_TIMEOUT_SECONDS`.

    The queue delivers it again while it runs: such a task locks what it works at, and leaves alone what is locked.
    """
    queued_tasks.add(QueuedTask(id=uuid4().hex, path=task, args=ids, timeout=settings.LONG_TASK_TIMEOUT_SECONDS))


def nudge_after_commit(task: str, workspace_id: UUID) -> None:
    """Once this transaction has committed, have `task(workspace_id)` run soon; many nudges at once become one task.

    A nudge may be lost with its process. Every task that is nudged also runs on the schedule and finds what was left.
    """
    transaction.on_commit(partial(_nudge, task, workspace_id))


def _nudge(task: str, workspace_id: UUID) -> None:
    if redis.put_if_absent(redis.nudge_key(task, workspace_id), seconds=NUDGE_SECONDS):
        enqueue_unless_waiting(task, str(workspace_id))


def nudge_received(task: str, workspace_id: UUID) -> None:
    """Called by a nudged task before it looks for work, so that later changes nudge again."""
    redis.discard(redis.nudge_key(task, workspace_id))


@dataclass(frozen=True, slots=True)
class ScheduleState:
    """A line of the schedule as it stands in the table: when it runs next; overdue where that has passed for long."""

    name: str
    task: str
    cron: str
    next_run: datetime | None
    is_overdue: bool


@dataclass(frozen=True, slots=True)
class QueuedCount:
    """How many tasks of one path are queued or running."""

    path: str
    count: int


def schedule_states(*, now: datetime) -> list[ScheduleState]:
    """Return the schedule as it is kept, the next to run first. Of the table only names and times are read."""
    from django_q.models import Schedule

    rows = Schedule.objects.order_by("next_run", "name").values("name", "func", "cron", "next_run")
    return [
        ScheduleState(
            str(row["name"]),
            str(row["func"]),
            str(row["cron"]),
            row["next_run"],
            row["next_run"] is not None and row["next_run"] < now - OVERDUE_AFTER,
        )
        for row in rows
    ]


def count_by_path(*, most: int) -> list[QueuedCount]:
    """Return how many tasks of each path are among the oldest `most` that are queued or running."""
    from django_q.models import OrmQ

    payloads = OrmQ.objects.order_by("id").values_list("payload", flat=True)[:most]
    counts = Counter(queued_tasks.read(payload).path for payload in payloads)
    return [QueuedCount(path, count) for path, count in counts.most_common()]


def write_schedules(schedule: list[Scheduled]) -> None:
    """Make the queue's schedule table say what `schedule` says; keeps the next run of lines that did not change."""
    from django_q.models import Schedule

    Schedule.objects.exclude(name__in=[line.name for line in schedule]).delete()
    for line in schedule:
        Schedule.objects.update_or_create(
            name=line.name,
            defaults={"func": line.task, "schedule_type": Schedule.CRON, "cron": line.cron, "repeats": -1},
        )


def enqueue_due(schedule: Sequence[Scheduled], noted: set[str]) -> None:
    """Queue the tasks of all lines that are due. Of the table only names and times are read, never what it would run.

    Lines that are not as `schedule` says are logged once for each set `noted`.
    """
    from django_q.models import Schedule

    lines = {line.name: line for line in schedule}
    for row in Schedule.objects.values("id", "name", "func", "args", "kwargs", "hook", "next_run"):
        line = lines.get(row["name"])
        if line is None or row["func"] != line.task or row["args"] or row["kwargs"] or row["hook"]:
            _note_refusal(str(row["name"]), noted)
        if line is None or (row["next_run"] and row["next_run"] > utc_now()):
            continue
        following = Schedule(schedule_type=Schedule.CRON, cron=line.cron).calculate_next_run()
        with transaction.atomic():
            # Of several workers one moves the line on, and queues its task unless the last one still waits.
            if Schedule.objects.filter(id=row["id"], next_run=row["next_run"]).update(next_run=following):
                enqueue_unless_waiting(line.task)


def _note_refusal(name: str, noted: set[str]) -> None:
    if name not in noted:
        noted.add(name)
        log.error("schedule_refused line=%r", name[:100])


def waiting_tasks() -> int:
    """Return the number of tasks that are queued or running."""
    from django_q.models import OrmQ

    return int(OrmQ.objects.count())


def discard_workspace_tasks(workspace_id: UUID) -> int:
    """Take the tasks of a workspace out of the queue; return their number. One that runs ends by itself."""
    return queued_tasks.delete_lane(workspace_id)


def count_lane_tasks(lane: UUID) -> int:
    """Return the number of queued or running tasks whose first argument is this id, such as that of a workspace."""
    return queued_tasks.count_lane(lane)


def queued_paths() -> list[str]:
    """Return the dotted paths of the tasks that are queued or running, oldest first."""
    from django_q.models import OrmQ

    return [
        queued_tasks.read(payload).path for payload in OrmQ.objects.order_by("id").values_list("payload", flat=True)
    ]
