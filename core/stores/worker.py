"""The worker's processes: django-q2's cluster, which is given listed tasks only, by a pusher of our own.

The cluster's own pusher and scheduler would import any dotted path that a row names; neither of them runs. What its
worker processes are given is always `run_delivery` or `run_heartbeat`, and its monitor has nothing to store.
"""

from __future__ import annotations

import ctypes
import logging
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection

from core.log_context import label_task
from core.stores import queue, queued_tasks
from core.stores.queue import Scheduled
from core.stores.queued_tasks import Delivery, TaskRefusedError, listed_tasks

log = logging.getLogger(__name__)

SCHEDULE_SECONDS = 20.0
HEARTBEAT_SECONDS = 60.0
ORPHANS_SECONDS = 5.0
# After the database did not answer.
PAUSE_SECONDS = 5.0
PR_SET_PDEATHSIG = 1


def run_worker(*, schedule: Sequence[Scheduled], heartbeat: str) -> str:
    """Run a worker group until SIGTERM or SIGINT; return its name, as `group_name` gives it to its tasks.

    `heartbeat` is the dotted path of a listed task that each group runs once a minute by itself.
    """
    from django.db.models.signals import post_save
    from django_q import cluster
    from django_q.signals import call_hook

    post_save.disconnect(call_hook)
    listed_tasks()
    end_with_parent()
    # The sentinel looks the name up when it starts its processes.
    cluster.pusher = partial(push, schedule=tuple(schedule), heartbeat=heartbeat)
    group = cluster.Cluster()
    group.start()
    name = _group_name(group.sentinel.pid)
    group.sentinel.join()
    return name


def group_name() -> str:
    """Return the name of the worker group that this process belongs to: the end of the host's name, and a number."""
    return _group_name(os.getppid())


def _group_name(pid: int) -> str:
    return f"{socket.gethostname()[-24:]}:{pid}"


def end_with_parent() -> None:
    """Have the kernel kill every process that is forked from here on, and theirs, when its parent ends (Linux)."""
    if sys.platform != "linux":
        return
    libc, parent = ctypes.CDLL(None), [os.getpid()]

    def remember() -> None:
        parent[0] = os.getpid()

    def tie() -> None:
        libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent[0]:  # it ended before the tie was made
            os._exit(1)

    os.register_at_fork(before=remember, after_in_child=tie)


@dataclass
class Timer:
    """Calls something at once and then at an interval in seconds, whenever it is looked at."""

    action: Callable[[], object]
    seconds: float
    due: float = field(default_factory=time.monotonic)

    def look(self) -> None:
        if time.monotonic() >= self.due:
            self.due = time.monotonic() + self.seconds
            self.action()


def push(
    task_queue: Any, stopped: Any, broker: Any = None, *, schedule: tuple[Scheduled, ...] = (), heartbeat: str = ""
) -> None:
    """Give claimed tasks to the worker processes until the group stops. Takes the place of `django_q.pusher.pusher`."""
    noted: set[str] = set()
    served: set[str] = set()
    timers = [
        Timer(lambda: task_queue.put(_order(run_heartbeat, heartbeat, name=heartbeat)), HEARTBEAT_SECONDS),
        Timer(lambda: queue.enqueue_due(schedule, noted), SCHEDULE_SECONDS),
        Timer(queued_tasks.release_orphans, ORPHANS_SECONDS),
    ]
    while not stopped.is_set():
        try:
            for timer in timers:
                timer.look()
            delivery = _next_delivery(served)
        except (DatabaseError, InterfaceError) as error:
            log.warning("queue_unavailable cause=%s", type(error).__name__)
            connection.close()
            stopped.wait(PAUSE_SECONDS)
            continue
        if delivery:
            task = delivery.task
            task_queue.put(_order(run_delivery, delivery, name=task.path, timeout=task.timeout))
        else:
            stopped.wait(settings.Q_CLUSTER["poll"])


def _next_delivery(served: set[str]) -> Delivery | None:
    """Claim tasks until one is found that may run; the others end as failed."""
    while claimed := queued_tasks.claim(served):
        try:
            return queued_tasks.accept(claimed)
        except TaskRefusedError as error:
            task = queued_tasks.refuse(claimed, error)
            log.error("task_refused id=%s cause=%s attempts=%s", task.id, type(error).__name__, task.attempts)
    return None


def _order(function: Callable[..., None], argument: object, *, name: str, timeout: int = 0) -> dict[str, Any]:
    """Return what a worker process of django-q2 takes; `save` keeps its monitor from storing the outcome."""
    order = {"id": uuid4().hex, "name": name, "func": function, "args": (argument,), "kwargs": {}, "save": False}
    return {**order, "timeout": timeout} if timeout else order


def run_delivery(delivery: Delivery) -> None:
    """Run one task, and note in its row what became of it. Ends the process after a timeout."""
    with label_task(delivery.task.id):
        try:
            begun = queued_tasks.begin(delivery)
            if begun:
                _run(begun)
        except DatabaseError as error:  # the row stays as it is, and is delivered again when its lock ends
            log.warning("queue_unavailable cause=%s", type(error).__name__)
            connection.close()


def _run(delivery: Delivery) -> None:
    from django_q.exceptions import TimeoutException

    task = delivery.task
    try:
        listed_tasks()[task.path](*task.args)
    except (Exception, TimeoutException) as error:  # whatever a task does, the worker goes on
        signal.alarm(0)
        log.error(
            "task_failed task=%s id=%s args=%s attempt=%s cause=%s",
            *(task.path, task.id, task.args, task.attempts, type(error).__name__),
            exc_info=error,
        )
        connection.close()  # it may be in the middle of a statement
        queued_tasks.fail(delivery, error)
        if isinstance(error, TimeoutException):  # what was cut short may hold locks: the cluster starts a new process
            raise SystemExit(0) from None
    else:
        queued_tasks.finish(delivery)


def run_heartbeat(path: str) -> None:
    """Run the heartbeat's task, which is not in the queue."""
    try:
        listed_tasks()[path]()
    except DatabaseError as error:
        log.warning("heartbeat_failed cause=%s", type(error).__name__)
        connection.close()
