"""The worker runs listed tasks only, whatever its tables say: nothing else is imported, called or unpickled."""

from __future__ import annotations

import base64
import pickle
from datetime import timedelta
from pathlib import Path

import pytest
from django_q.models import OrmQ, Schedule
from django_q.signing import SignedPackage

from config.schedules import write_schedules
from core.clock import utc_now
from core.stores import queue
from tests.core.worker_process import becomes_true, execute, rows, running_worker
from workspaces.access.tasks import delete_foreign_tasks

CHANGED = ("unused registrations", "expired slots")
UNLISTED = ("os.mkdir", "tests.core.worker_process.execute", "core.stores.queue.enqueue", "nowhere.f")

pytestmark = pytest.mark.django_db(transaction=True)


class Unpickled:
    """Makes a folder wherever it is unpickled."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __reduce__(self) -> tuple[object, ...]:
        from os import mkdir

        return mkdir, (str(self.folder),)


def test_schedule_lines_written_by_sql_run_nothing_of_their_own(tmp_path: Path) -> None:
    """Function, arguments, hook and options of a line are columns that the serving role may write."""
    write_schedules()
    changed, hooked, synchronous, added = (tmp_path / name for name in ("changed", "hooked", "synchronous", "added"))
    execute("UPDATE django_q_schedule SET next_run = now() - interval '1 minute' WHERE name = ANY(%s)", list(CHANGED))
    execute(
        "UPDATE django_q_schedule SET func = 'os.mkdir', args = %s WHERE name = %s", repr((str(changed),)), CHANGED[0]
    )
    chain = {"q_options": {"hook": "os.mkdir", "chain": [("os.mkdir", (str(hooked),))]}}
    execute("UPDATE django_q_schedule SET hook = 'os.mkdir', kwargs = %s WHERE name = %s", repr(chain), CHANGED[1])
    options = {"q_options": {"sync": True}}
    for folder, kwargs in ((synchronous, options), (added, {})):
        execute(
            "INSERT INTO django_q_schedule (name, func, args, kwargs, schedule_type, repeats, next_run) "
            "VALUES (%s, 'os.mkdir', %s, %s, 'O', -1, now() - interval '1 minute')",
            folder.name,
            repr((str(folder),)),
            repr(kwargs),
        )

    with running_worker(tmp_path) as worker:
        assert becomes_true(lambda: not Schedule.objects.filter(name="expired slots", next_run__lt=utc_now()).exists())
        queue.enqueue("tests.core.deadly_tasks.leave_a_line", "after")
        assert becomes_true((tmp_path / "after").exists)
        refusals = worker.said()

    assert [folder.name for folder in (changed, hooked, synchronous, added) if folder.exists()] == []
    for name in (*CHANGED, "synchronous", "added"):
        assert f"schedule_refused line={name!r}" in refusals


def test_tasks_outside_of_the_list_are_refused_once_and_recorded_as_failed(tmp_path: Path) -> None:
    for path in UNLISTED:
        queue.enqueue(path, str(tmp_path / "made"))

    with running_worker(tmp_path) as worker:
        queue.enqueue("tests.core.deadly_tasks.leave_a_line", "after")
        assert becomes_true((tmp_path / "after").exists)
        assert becomes_true(lambda: not OrmQ.objects.exists(), seconds=10)
        said = worker.said()

    assert not (tmp_path / "made").exists()
    assert said.count("task_refused") == len(UNLISTED)
    assert str(tmp_path / "made") not in said
    failed = rows('SELECT func, "group", attempt_count FROM django_q_task WHERE NOT success ORDER BY stopped')
    assert failed == [(path, "UnlistedTaskError", 0) for path in UNLISTED]


def test_a_pickle_in_the_queue_is_not_read_even_when_it_is_signed_with_the_key(tmp_path: Path) -> None:
    """What the queue held in former versions, and what anybody could make who got hold of the key."""
    task: dict[str, object] = {
        "id": "1",
        "name": "x",
        "func": "os.mkdir",
        "args": (str(tmp_path / "called"),),
        "kwargs": {},
    }
    task["started"] = Unpickled(tmp_path / "unpickled")
    OrmQ.objects.create(key="wsm", payload=SignedPackage.dumps(task), lock=utc_now())
    OrmQ.objects.create(key="wsm", payload="no signature at all", lock=utc_now())

    with running_worker(tmp_path) as worker:
        assert becomes_true(lambda: not OrmQ.objects.exists())
        said = worker.said()

    assert not (tmp_path / "unpickled").exists()
    assert not (tmp_path / "called").exists()
    assert said.count("task_refused") == 2


def test_what_was_kept_of_former_tasks_is_never_unpickled(tmp_path: Path) -> None:
    """`django_q_task` holds unsigned pickles, and the serving role may write it."""
    pickled = base64.b64encode(pickle.dumps(Unpickled(tmp_path / "unpickled"))).decode()
    for number in range(200):
        execute(
            "INSERT INTO django_q_task (id, name, func, args, kwargs, result, started, stopped, success, attempt_count)"
            " VALUES (%s, 'old', 'x', %s, %s, %s, now(), now(), true, 1)",
            f"{number:032}",
            *[pickled] * 3,
        )
    queue.enqueue("tests.core.deadly_tasks.leave_a_line", "ran")
    queue.enqueue("nowhere.f")

    with running_worker(tmp_path):
        assert becomes_true((tmp_path / "ran").exists)
        assert becomes_true(lambda: not OrmQ.objects.exists(), seconds=20)

    assert not (tmp_path / "unpickled").exists()


def test_rows_of_another_queue_are_deleted_after_a_day() -> None:
    now = utc_now()
    for key, age in (("foreign", 25), ("foreign", 23), ("wsm", 25)):
        OrmQ.objects.create(key=key, payload="no signature at all", lock=now - timedelta(hours=age))

    assert delete_foreign_tasks() == 1

    assert sorted(OrmQ.objects.values_list("key", flat=True)) == ["foreign", "wsm"]
    OrmQ.objects.all().delete()
