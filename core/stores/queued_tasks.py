"""Queued tasks as rows of the queue's table: the signed payload, claiming a row, counting attempts, and giving up.

A payload is signed JSON. Nothing here reads the pickles that django-q2 itself would write.

The column `key` says which queue a row is of, in which lane it waits (of its workspace, or of its kind where it has
none) and which task it is: `wsm <lane> <digest of path and arguments>`. It decides the order only, never what runs.
"""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from functools import cache
from hashlib import blake2b
from importlib import import_module
from inspect import getmembers, isfunction
from typing import Any
from uuid import UUID, uuid4

import psutil
from django.conf import settings
from django.core import signing
from django.db import transaction
from django.db.models import Case, CharField, F, Func, IntegerField, Q, Value, When

from core.clock import utc_now
from core.db.locks import wait_for_lock

SALT = "core.stores.queued_tasks"
QUEUED_LOCK = "queued task"

# A task that fails is tried as often as this; one whose worker died over it less often, since it may be the cause.
MAX_ATTEMPTS = 5
MAX_DEATHS = 3
# When a worker has died (and not its host), its task is delivered again after this time.
AFTER_DEATH = timedelta(seconds=10)
KEEP_FAILURES = timedelta(days=30)
# How long a row is kept that no worker claims, since it names another queue.
KEEP_FOREIGN = timedelta(days=1)


class TaskRefusedError(Exception):
    """A task that is not run."""


class UnreadableTaskError(TaskRefusedError):
    """The payload is not one that `enqueue` signed."""


class UnlistedTaskError(TaskRefusedError):
    """The payload names a function that is not a task."""


class WorkerDiedError(TaskRefusedError):
    """Each of several workers died while it ran this task."""


@dataclass(frozen=True, slots=True)
class QueuedTask:
    """A task with its arguments (ids), and what became of it so far. `timeout` is in seconds, 0 for the usual one.

    `attempts` counts the times that it was begun, `failures` those that came back with an error; the difference are
    workers that died or are at work. `worker` is the process that began it last: host, process id, start (Unix time).
    """

    id: str
    path: str
    args: tuple[str | int, ...]
    timeout: int = 0
    attempts: int = 0
    failures: int = 0
    worker: tuple[str, int, float] | None = None

    def sign(self) -> str:
        return signing.dumps(asdict(self), salt=SALT)

    @property
    def identity(self) -> UUID:
        """Equal for two tasks that do the same: of one path with the same arguments."""
        return _digest(self.path, *self.args)

    @property
    def lane(self) -> UUID:
        """The workspace, which every task of one has as its first argument; of other tasks, their kind."""
        try:
            return UUID(str(self.args[0]))
        except (IndexError, ValueError):
            return _digest(self.path)


@dataclass(frozen=True, slots=True)
class Claimed:
    """A row of the queue that this process claimed, until `lock` (UTC)."""

    row: int
    lock: datetime
    payload: str


@dataclass(frozen=True, slots=True)
class Delivery:
    """A claimed row whose task may be run."""

    row: int
    lock: datetime
    task: QueuedTask


@cache
def listed_tasks() -> Mapping[str, Callable[..., object]]:
    """Return every function that may be run, by its dotted path: the public ones of `settings.TASK_MODULES`."""
    modules = [import_module(name) for name in settings.TASK_MODULES]
    return {
        f"{module.__name__}.{name}": function
        for module in modules
        for name, function in getmembers(module, isfunction)
        if function.__module__ == module.__name__ and not name.startswith("_")
    }


def add(task: QueuedTask) -> None:
    """Insert a row that can be claimed at once."""
    _rows().create(key=_key(task), payload=task.sign(), lock=utc_now())


def add_unless_waiting(task: QueuedTask) -> bool:
    """Insert a row unless one of the same task waits, also for another attempt; return whether it was inserted.

    One that waits for another attempt can be claimed at once then. A task that runs does not wait: it may have looked
    for its work already.
    """
    with transaction.atomic():
        wait_for_lock(QUEUED_LOCK, task.lane, task.identity)
        for row in _rows().filter(key=_key(task)):
            try:
                waiting = read(row.payload)
            except UnreadableTaskError:
                continue
            if row.lock <= utc_now():
                return False
            if waiting.worker is None:
                if waiting.failures:
                    # Should it have been claimed meanwhile, `begin` lets one of the two claims run it.
                    _put(Delivery(row.id, row.lock, waiting), waiting, lock=utc_now())
                return False
        add(task)
    return True


def read(payload: str) -> QueuedTask:
    """Return the task of a payload. Raises UnreadableTaskError."""
    try:
        value = signing.loads(payload, salt=SALT)
        worker = value["worker"]
        return QueuedTask(**{**value, "args": tuple(value["args"]), "worker": worker and tuple(worker)})
    except (signing.BadSignature, ValueError, TypeError, KeyError) as error:
        raise UnreadableTaskError from error


def claim(served: set[str]) -> Claimed | None:
    """Claim the row that has waited longest in a lane that is not in `served`, and add its lane; None if none waits.

    When every lane with something to do has been served, another round begins, and `served` is emptied.
    """
    lane = Func(F("key"), Value(" "), Value(2), function="split_part", output_field=CharField())
    was_served = Case(When(lane__in=served, then=1), default=0, output_field=IntegerField())
    waiting = _mine().filter(lock__lt=utc_now()).annotate(lane=lane, was_served=was_served)
    waiting = waiting.order_by("was_served", "lock", "id").values("id", "lane", "was_served")  # a sort without payloads
    with transaction.atomic():
        # What another worker is just claiming is passed over, neither waited for nor claimed twice.
        row = waiting.select_for_update(skip_locked=True).first()
        if row is None:
            return None
        mine, until = _rows().filter(id=row["id"]), _until()
        payload = mine.values_list("payload", flat=True).get()
        mine.update(lock=until)
    if row["was_served"]:
        served.clear()
    served.add(row["lane"])
    return Claimed(row["id"], until, payload)


def accept(claimed: Claimed) -> Delivery:
    """Return what a claimed row has to be run. Raises TaskRefusedError, after which `refuse` records it."""
    task = read(claimed.payload)
    if task.path not in listed_tasks():
        raise UnlistedTaskError
    if task.attempts - task.failures >= MAX_DEATHS:
        raise WorkerDiedError
    return Delivery(claimed.row, claimed.lock, task)


def refuse(claimed: Claimed, error: TaskRefusedError) -> QueuedTask:
    """End a task without running it; return it as far as it can be read."""
    try:
        task = read(claimed.payload)
    except UnreadableTaskError:
        task = QueuedTask(id=uuid4().hex, path="", args=())
    _end_as_failed(claimed.row, task, type(error).__name__)
    return task


def begin(delivery: Delivery) -> Delivery | None:
    """Count an attempt, before anything of the task runs; None where another worker has claimed the row meanwhile."""
    attempts = delivery.task.attempts + 1
    task = replace(delivery.task, attempts=attempts, worker=_this_process())
    return _put(delivery, task, lock=_until())


def finish(delivery: Delivery) -> None:
    """Remove a task that has been done."""
    _rows().filter(id=delivery.row).delete()


def fail(delivery: Delivery, error: BaseException) -> None:
    """Leave a task that failed to be tried again when its lock ends, or end it after the last attempt."""
    if delivery.task.attempts >= MAX_ATTEMPTS:
        _end_as_failed(delivery.row, delivery.task, type(error).__name__)
        return
    task = replace(delivery.task, failures=delivery.task.failures + 1, worker=None)
    _put(delivery, task, lock=delivery.lock)


def release_orphans() -> int:
    """Have tasks delivered again soon whose worker, a process of this host, has died; return their number.

    Those of another host wait until their lock ends.
    """
    released = 0
    for row in _mine().filter(lock__gt=utc_now()):
        try:
            task = read(row.payload)
        except UnreadableTaskError:
            continue
        if task.worker and _has_died(task.worker):
            orphan = Delivery(row.id, row.lock, task)
            released += _put(orphan, replace(task, worker=None), lock=utc_now() + AFTER_DEATH) is not None
    return released


def delete_foreign() -> int:
    """Delete rows under the name of another queue, which no worker claims, after a day; return their number."""
    stray = _rows().exclude(_of_this_queue()).filter(lock__lt=utc_now() - KEEP_FOREIGN)
    number, _ = stray.delete()
    return int(number)


def delete_lane(lane: UUID) -> int:
    """Delete every task of a lane, also those that run: they are not delivered again; return their number."""
    number, _ = _rows().filter(key__startswith=_lane_key(lane)).delete()
    return int(number)


def count_lane(lane: UUID) -> int:
    """Return the number of tasks of a lane that wait or run."""
    return int(_rows().filter(key__startswith=_lane_key(lane)).count())


def _put(delivery: Delivery, task: QueuedTask, *, lock: datetime) -> Delivery | None:
    """Change a row that is still as this process knows it."""
    mine = _rows().filter(id=delivery.row, lock=delivery.lock)
    return Delivery(delivery.row, lock, task) if mine.update(payload=task.sign(), lock=lock) else None


def _end_as_failed(row: int, task: QueuedTask, kind: str) -> None:
    """Move a task to the failed ones: its path and the kind of the error, neither arguments nor messages.

    Inserted in bulk, so that no signal is sent: django-q2 would call the row's hook. Its pickled columns stay empty.
    """
    from django_q.models import Task

    now = utc_now()
    failed = Task(id=task.id[:32], name=task.path[:100], func=task.path[:256], group=kind, attempt_count=task.attempts)
    failed.started, failed.stopped, failed.success = now, now, False
    with transaction.atomic():
        _rows().filter(id=row).delete()
        Task.objects.filter(success=False, stopped__lt=now - KEEP_FAILURES).delete()
        Task.objects.bulk_create([failed], ignore_conflicts=True)


def _rows() -> Any:
    from django_q.models import OrmQ

    return OrmQ.objects


def _mine() -> Any:
    return _rows().filter(_of_this_queue())


def _of_this_queue() -> Q:
    """Match the rows that this product queued; those of former versions have the name of the queue alone."""
    name = settings.Q_CLUSTER["name"]
    return Q(key=name) | Q(key__startswith=f"{name} ")


def _key(task: QueuedTask) -> str:
    return f"{_lane_key(task.lane)}{task.identity}"


def _lane_key(lane: UUID) -> str:
    """Return how the keys of a lane begin."""
    return f"{settings.Q_CLUSTER['name']} {lane} "


def _digest(*values: str | int) -> UUID:
    return UUID(bytes=blake2b(json.dumps(values).encode(), digest_size=16).digest())


def _until() -> datetime:
    return utc_now() + timedelta(seconds=settings.TASK_LOCK_SECONDS)


def _this_process() -> tuple[str, int, float]:
    return socket.gethostname(), os.getpid(), psutil.Process().create_time()


def _has_died(worker: tuple[str, int, float]) -> bool:
    host, pid, began = worker
    if host != socket.gethostname():
        return False
    try:
        process = psutil.Process(pid)
        # Another process may have got the id since. The kernel's boot time moves a little when the clock is set.
        return process.status() == psutil.STATUS_ZOMBIE or abs(process.create_time() - began) > 5
    except psutil.NoSuchProcess:
        return True
