"""The queue: who is served next, and that of one kind of scheduled task one waits."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from threading import Thread
from uuid import UUID

import pytest
from django.db import connection, transaction
from django_q.models import OrmQ, Schedule

from config.schedules import SCHEDULE, write_schedules
from core.clock import utc_now
from core.stores import queue, queued_tasks, redis
from core.stores.queue import enqueue_due
from core.stores.queued_tasks import MAX_ATTEMPTS, Delivery, QueuedTask
from memory.recall.tasks import calibrate_all
from telemetry.metrics.tasks import measure_all
from telemetry.patterns.tasks import evaluate_all
from tests.cast import Cast

TASK = "tests.core.deadly_tasks.note_service"
BACKLOG, LATER = (str(UUID(int=number)) for number in (1, 2))


@pytest.fixture(autouse=True)
def _empty(db: None) -> None:
    OrmQ.objects.all().delete()


def take(number: int, served: set[str] | None = None) -> list[QueuedTask]:
    """Claim so many tasks, as one worker group does."""
    served = set() if served is None else served
    claimed = [queued_tasks.claim(served) for _ in range(number)]
    return [queued_tasks.read(each.payload) for each in claimed if each]


def begin_next() -> Delivery:
    claimed = queued_tasks.claim(set())
    assert claimed is not None
    begun = queued_tasks.begin(Delivery(claimed.row, claimed.lock, queued_tasks.read(claimed.payload)))
    assert begun is not None
    return begun


def paths() -> list[str]:
    return queue.queued_paths()


def test_tasks_of_a_workspace_are_served_in_the_order_in_which_they_were_queued() -> None:
    for number in range(20):
        queue.enqueue(TASK, BACKLOG, number)

    assert [task.args[1] for task in take(21)] == list(range(20))


def test_workspaces_take_turns_whatever_one_of_them_has_queued_before() -> None:
    for number in range(50):
        queue.enqueue(TASK, BACKLOG, number)
    for number in range(3):
        queue.enqueue(TASK, LATER, number)

    turns = [(task.args[0], task.args[1]) for task in take(8)]

    assert turns == [
        *((workspace, number) for number in range(3) for workspace in (BACKLOG, LATER)),
        (BACKLOG, 3),
        (BACKLOG, 4),
    ]


def test_who_comes_while_a_backlog_is_served_is_next() -> None:
    served: set[str] = set()
    for number in range(50):
        queue.enqueue(TASK, BACKLOG, number)
    take(5, served)

    queue.enqueue(TASK, LATER, 0)

    assert [task.args[0] for task in take(2, served)] == [LATER, BACKLOG]


def test_tasks_without_a_workspace_wait_behind_no_workspace_and_do_not_hold_one_up() -> None:
    for number in range(10):
        queue.enqueue(TASK, BACKLOG, number)
    for line in SCHEDULE[:3]:
        queue.enqueue(line.task)

    assert [task.path for task in take(5)] == [TASK, *(line.task for line in SCHEDULE[:3]), TASK]


@pytest.mark.django_db(transaction=True)
def test_a_row_that_another_worker_is_claiming_is_passed_over() -> None:
    for number in range(2):
        queue.enqueue(TASK, BACKLOG, number)
    taken: list[QueuedTask] = []

    with transaction.atomic():
        OrmQ.objects.select_for_update().order_by("id").first()
        elsewhere(lambda: taken.extend(take(1)))

    assert [task.args[1] for task in taken] == [1]
    OrmQ.objects.all().delete()


def test_rows_of_a_former_version_are_served_as_well() -> None:
    task = QueuedTask(id="1", path=TASK, args=(BACKLOG, 1))
    OrmQ.objects.create(key="wsm", payload=task.sign(), lock=utc_now())
    OrmQ.objects.create(key="wsmish", payload=task.sign(), lock=utc_now())

    assert take(2) == [task]


def test_of_a_line_of_the_schedule_one_task_waits_however_often_it_comes_due() -> None:
    write_schedules()

    for _ in range(5):
        Schedule.objects.update(next_run=utc_now() - timedelta(seconds=1))
        enqueue_due(SCHEDULE, set())

    assert sorted(paths()) == sorted(line.task for line in SCHEDULE)


@pytest.mark.parametrize("every", [evaluate_all, measure_all, calibrate_all], ids=lambda each: each.__name__)
def test_of_what_the_schedule_queues_for_a_workspace_one_waits(every: Callable[[], int], cast: Cast) -> None:
    cast.acme.rest().post("memory/enable")
    OrmQ.objects.all().delete()

    assert every() > 0
    once = paths()
    every()

    assert once == paths() != []


def test_a_nudge_that_comes_while_its_task_waits_queues_none_without_redis(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redis, "put_if_absent", lambda *_, **__: True)

    for _ in range(5):
        with _committed():
            queue.nudge_after_commit("ontology.graph.tasks.project_workspace", UUID(BACKLOG))

    assert len(paths()) == 1


def test_what_comes_while_a_task_runs_is_queued_once_more() -> None:
    """It may have looked for its work before."""
    assert queue.enqueue_unless_waiting(TASK, BACKLOG, 1)
    assert not queue.enqueue_unless_waiting(TASK, BACKLOG, 1)
    assert queue.enqueue_unless_waiting(TASK, BACKLOG, 2), "Another task."
    begin_next()

    assert queue.enqueue_unless_waiting(TASK, BACKLOG, 1)
    assert not queue.enqueue_unless_waiting(TASK, BACKLOG, 1)


def test_a_claimed_task_that_has_not_begun_waits() -> None:
    queue.enqueue(TASK, BACKLOG, 1)
    take(1)

    assert not queue.enqueue_unless_waiting(TASK, BACKLOG, 1)


def test_a_task_that_failed_is_tried_again_when_it_comes_due_and_ends_after_its_last_attempt() -> None:
    for attempt in range(MAX_ATTEMPTS):
        assert queue.enqueue_unless_waiting(TASK, BACKLOG, 1) is (attempt == 0)
        assert len(paths()) == 1
        queued_tasks.fail(begin_next(), RuntimeError())

    assert paths() == []


@pytest.mark.django_db(transaction=True)
def test_of_many_at_the_same_moment_one_is_queued() -> None:
    with elsewhere_all([lambda: queue.enqueue_unless_waiting(TASK, BACKLOG, 1)] * 8):
        pass

    assert paths() == [TASK]
    OrmQ.objects.all().delete()


def elsewhere(action: Callable[[], object]) -> None:
    with elsewhere_all([action]):
        pass


@contextmanager
def elsewhere_all(actions: list[Callable[[], object]]) -> Iterator[None]:
    """Do each in a thread of its own, and so with a connection of its own."""

    def run(action: Callable[[], object]) -> None:
        try:
            action()
        finally:
            connection.close()

    threads = [Thread(target=run, args=(action,)) for action in actions]
    for thread in threads:
        thread.start()
    yield
    for thread in threads:
        thread.join(timeout=30)


@contextmanager
def _committed() -> Iterator[None]:
    from django.test import TestCase

    with TestCase.captureOnCommitCallbacks(execute=True):
        yield
