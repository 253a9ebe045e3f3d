"""Workers die: what they were at is tried again a few times, and they leave nothing behind them."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django_q.models import OrmQ, Schedule

from core.stores import queue, queued_tasks
from tests.core.worker_process import WorkerProcess, becomes_true, rows, running_worker
from workspaces.models import WorkerHeartbeat

FAILED = 'SELECT func, "group", attempt_count FROM django_q_task WHERE NOT success'

pytestmark = [pytest.mark.alone, pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def _nothing_due() -> None:
    """What comes due at a full minute would be in the queue as well, and wait for its lock when its worker dies."""
    Schedule.objects.all().delete()


def test_a_task_that_kills_its_worker_is_begun_three_times_and_then_failed(tmp_path: Path) -> None:
    task = "tests.core.deadly_tasks.kill_the_worker"
    queue.enqueue(task, "deaths")

    with running_worker(tmp_path) as worker:
        assert becomes_true(lambda: bool(rows(FAILED)), seconds=150)
        queue.enqueue("tests.core.deadly_tasks.leave_a_line", "after")
        assert becomes_true((tmp_path / "after").exists)
        assert becomes_true(lambda: not OrmQ.objects.exists()), _queued()
        said = worker.said()

    pids = (tmp_path / "deaths").read_text().split()
    assert (len(pids), len(set(pids))) == (3, 3)
    assert rows(FAILED) == [(task, "WorkerDiedError", 3)]
    assert said.count("task_refused") == 1


def test_a_task_whose_whole_group_was_killed_goes_on_as_soon_as_there_is_another(tmp_path: Path) -> None:
    queue.enqueue_long("tests.core.deadly_tasks.hang_at_first", "begun")
    with running_worker(tmp_path, name="first"):
        assert becomes_true((tmp_path / "begun").exists)

    with running_worker(tmp_path, name="second") as second:
        # Python's start, 5 seconds until the other's death is looked for, 10 until it is delivered again.
        assert becomes_true(lambda: not OrmQ.objects.exists(), seconds=60), (_queued(), second.said())

    assert len((tmp_path / "begun").read_text().split()) == 2
    assert rows(FAILED) == []


def test_a_main_process_that_is_killed_leaves_no_process_behind(tmp_path: Path) -> None:
    with running_worker(tmp_path) as worker:
        _wait_for_heartbeats(1)
        children = worker.children
        assert len(children) == 4  # sentinel, worker, monitor, pusher

        os.kill(worker.process.pid, signal.SIGKILL)

        assert becomes_true(lambda: not any(_is_alive(child) for child in children), seconds=10)


def test_each_worker_group_has_a_heartbeat_and_takes_it_along_when_it_is_stopped(tmp_path: Path) -> None:
    with running_worker(tmp_path, name="one") as one, running_worker(tmp_path, name="two") as two:
        _wait_for_heartbeats(2)
        assert _ready() == {"state": "ok"}

        os.kill(one.process.pid, signal.SIGTERM)
        assert one.process.wait(timeout=60) == 0
        assert WorkerHeartbeat.objects.count() == 1
        assert _children_of(two) == 4


def test_the_log_has_where_a_task_failed_and_no_value_of_its_errors(tmp_path: Path) -> None:
    queue.enqueue("tests.core.deadly_tasks.fail_with_a_value")

    with running_worker(tmp_path) as worker:
        assert becomes_true(lambda: "task_failed" in worker.said())
        queue.enqueue("tests.core.deadly_tasks.leave_a_line", "after")
        assert becomes_true(lambda: OrmQ.objects.count() == 1), _queued()
        assert (tmp_path / "after").exists()
        said = worker.said()

    assert "task_failed task=tests.core.deadly_tasks.fail_with_a_value" in said
    assert "cause=RuntimeError" in said
    assert "deadly_tasks.py" in said
    assert "seat-lamp" not in said
    assert "Could not remember 'seat" not in said
    [waiting] = OrmQ.objects.all()
    task = queued_tasks.read(waiting.payload)
    assert (task.attempts, task.failures) == (1, 1)
    assert rows("SELECT * FROM django_q_task") == []


def _wait_for_heartbeats(number: int) -> None:
    assert becomes_true(lambda: WorkerHeartbeat.objects.count() == number)


def _queued() -> list[tuple[Any, queued_tasks.QueuedTask]]:
    return [(row.lock, queued_tasks.read(row.payload)) for row in OrmQ.objects.all()]


def _children_of(worker: WorkerProcess) -> int:
    return len(worker.children)


def _is_alive(process: Any) -> bool:
    return bool(process.is_running() and process.status() != "zombie")


def _ready() -> dict[str, Any]:
    found = Client().get("/readyz").json()["checks"]["worker"]
    return {name: value for name, value in found.items() if name != "ms"}
