"""The only module that knows the task queue: enqueueing, nudging, and the schedule table."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from functools import partial
from uuid import UUID

from django.conf import settings
from django.db import transaction

from core import redis

log = logging.getLogger(__name__)

# A nudge that still waits stands for every later one; should its task be lost, it is forgotten after this many seconds.
NUDGE_SECONDS = 30


@dataclass(frozen=True, slots=True)
class Scheduled:
    """One line of the schedule: a task without arguments and when it runs (cron, five fields, UTC)."""

    name: str
    task: str
    cron: str


def enqueue(task: str, *ids: str | int) -> None:
    """Queue a task by its dotted path. The queue is a table: the task exists once the transaction commits."""
    from django_q.tasks import async_task

    async_task(task, *ids, group=task)


def enqueue_long(task: str, *ids: str | int) -> None:
    """The same for a task that may take `LONG_TASK_TIMEOUT_SECONDS`.

    The queue delivers it again while it runs: such a task locks what it works at, and leaves alone what is locked.
    """
    from django_q.tasks import async_task

    async_task(task, *ids, group=task, timeout=settings.LONG_TASK_TIMEOUT_SECONDS)


def nudge_after_commit(task: str, workspace_id: UUID) -> None:
    """Once this transaction has committed, have `task(workspace_id)` run soon; many nudges at once become one task.

    A nudge may be lost with its process. Every task that is nudged also runs on the schedule and finds what was left.
    """
    transaction.on_commit(partial(_nudge, task, workspace_id))


def _nudge(task: str, workspace_id: UUID) -> None:
    if redis.claim(redis.nudge_key(task, workspace_id), seconds=NUDGE_SECONDS):
        enqueue(task, str(workspace_id))


def nudge_received(task: str, workspace_id: UUID) -> None:
    """Called by a nudged task before it looks for work, so that later changes nudge again."""
    redis.release(redis.nudge_key(task, workspace_id))


def write_schedules(schedule: list[Scheduled]) -> None:
    """Make the queue's schedule table say what `schedule` says; keeps the next run of lines that did not change."""
    from django_q.models import Schedule

    Schedule.objects.exclude(name__in=[line.name for line in schedule]).delete()
    for line in schedule:
        Schedule.objects.update_or_create(
            name=line.name,
            defaults={"func": line.task, "schedule_type": Schedule.CRON, "cron": line.cron, "repeats": -1},
        )


def waiting_tasks() -> int:
    """How many tasks are queued or running."""
    from django_q.models import OrmQ

    return int(OrmQ.objects.count())
