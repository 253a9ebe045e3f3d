"""Imports whose worker is killed (SIGKILL) while it brings them in: begun anew, or ended with a sentence."""

from __future__ import annotations

import signal
import subprocess
import sys
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.conf import settings
from django.db import connection

from core.clock import utc_now
from core.stores import queue
from memory.models import Memory
from tests.cast import Cast, RestClient
from tests.serving import serving_environment
from tests.transfer.moving import exported
from transfer.imports import tasks
from transfer.imports.services.workspace_import import ENDED_AFTER, IMPORT_LOCK, RESUMED_AFTER
from workspaces.access.scope import workspace_scope

# A worker that dies once rows are in, before the commit.
DYING = """
import os, signal, sys
import django
django.setup()
from transfer.imports import tasks
from transfer.imports.services import workspace_import
workspace_import._refuse_strangers = lambda caller: os.kill(os.getpid(), signal.SIGKILL)
tasks.run_import(*sys.argv[1:])
"""

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def queued(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """What was put into the queue of long tasks."""
    found: list[tuple[Any, ...]] = []
    monkeypatch.setattr(queue, "enqueue_long", lambda *task: found.append(task))
    return found


@pytest.fixture
def killed(cast: Cast, acme: RestClient, umbrella: RestClient, queued: list[tuple[Any, ...]]) -> str:
    """An import that was started, and whose worker died over it."""
    acme.remembered("Tea is ordered on Mondays.")
    job = str(umbrella.post("imports").json()["id"])
    umbrella.raw("PUT", f"imports/{job}/parts/0", exported(acme), content_type="application/x-ndjson")
    umbrella.post(f"imports/{job}/start")
    worker = subprocess.run(
        [sys.executable, "-c", DYING, *queued.pop()[1:]], env=serving_environment(), cwd=settings.ROOT, check=False
    )
    assert worker.returncode == -signal.SIGKILL
    return job


def test_another_worker_begins_it_anew(
    cast: Cast, umbrella: RestClient, killed: str, queued: list[tuple[Any, ...]]
) -> None:
    assert umbrella.get(f"imports/{killed}").json()["status"] == "queued"
    assert tasks.resume_interrupted() == 0  # it may still wait for its worker

    with time_machine.travel(utc_now() + RESUMED_AFTER + timedelta(seconds=1)):
        assert tasks.resume_interrupted() == 1

    assert queued == [("transfer.imports.tasks.run_import", str(cast.umbrella.workspace.id), killed)]
    tasks.run_import(*queued.pop()[1:])
    assert umbrella.get(f"imports/{killed}").json()["status"] == "done"
    with workspace_scope(cast.umbrella.caller):
        assert Memory.objects.count() == 1
    with time_machine.travel(utc_now() + ENDED_AFTER):
        assert (tasks.resume_interrupted(), queued) == (0, [])


def test_after_a_day_it_is_ended_with_a_sentence(
    cast: Cast, umbrella: RestClient, killed: str, queued: list[tuple[Any, ...]]
) -> None:
    with time_machine.travel(utc_now() + ENDED_AFTER + timedelta(seconds=1)):
        assert (tasks.resume_interrupted(), queued) == (1, [])

    over = umbrella.get(f"imports/{killed}").json()
    assert (over["status"], over["error"]["code"], over["received"]) == ("refused", "import_interrupted", None)
    assert "Nothing was changed" in over["error"]["detail"]
    with workspace_scope(cast.umbrella.caller):
        assert Memory.objects.count() == 0


def test_what_a_worker_is_at_is_left_to_it(
    cast: Cast, umbrella: RestClient, killed: str, queued: list[tuple[Any, ...]]
) -> None:
    from django.db import connection

    from tests.serving import serving_connection

    with serving_connection() as worker, worker.cursor() as cursor:
        lock = f"{IMPORT_LOCK} {cast.umbrella.workspace.id} {killed}"
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [lock])
        assert connection.in_atomic_block is False
        with time_machine.travel(utc_now() + ENDED_AFTER + timedelta(seconds=1)):
            assert (tasks.resume_interrupted(), queued) == (0, [])


def test_an_export_that_is_read_slowly_holds_no_connection(acme: RestClient) -> None:
    acme.remembered("Tea is ordered on Mondays.")
    assert connection.connection is not None

    answer = acme.get("export")

    assert connection.connection is None
    assert b"Tea is ordered" in b"".join(answer.streaming_content)
