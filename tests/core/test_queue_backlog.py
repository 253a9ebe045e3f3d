"""A worker with a backlog of one workspace: what others queue does not wait for it."""

from __future__ import annotations

import sys
import time
from itertools import pairwise
from pathlib import Path
from uuid import uuid4

import pytest
from django.db import transaction
from django_q.models import OrmQ, Schedule

from conversations.models import Message
from core.stores import queue
from tests.cast import Cast
from tests.core.worker_process import becomes_true, running_worker
from workspaces.access.scope import workspace_scope

TASK = "tests.core.deadly_tasks.note_service"
BACKLOG = 5_000
AHEAD = 50
WITHIN_SECONDS = 30

pytestmark = [pytest.mark.alone, pytest.mark.slow, pytest.mark.django_db(transaction=True)]


def test_an_end_of_session_is_extracted_within_30_seconds_of_a_backlog_of_5000_tasks_elsewhere(
    cast: Cast, tmp_path: Path
) -> None:
    """The order of service is printed (`-s`), and what the test asserts."""
    Schedule.objects.all().delete()
    client = cast.acme.rest()
    client.post("memory/enable")
    OrmQ.objects.all().delete()
    other, third = str(uuid4()), str(uuid4())
    with transaction.atomic():
        for number in range(BACKLOG):
            queue.enqueue(TASK, other, number)
    served = tmp_path / "served"

    with running_worker(tmp_path) as worker:
        assert becomes_true(lambda: len(_lines(served)) >= AHEAD), worker.said()
        client.post("conversations/talk/messages", {"role": "user", "content": "I prefer green tea to coffee."})
        before, began = len(_lines(served)), time.monotonic()
        assert client.post("conversations/talk/end").json()["extracting"] is True
        with transaction.atomic():
            for number in range(10):
                queue.enqueue(TASK, third, number)

        extracted = becomes_true(lambda: _unread(cast) == 0, seconds=WITHIN_SECONDS)
        took, meanwhile = time.monotonic() - began, len(_lines(served)) - before
        assert becomes_true(lambda: sum(third in line for line in _lines(served)) == 10)
        lines = _lines(served)

    waiting = BACKLOG - sum(other in line for line in lines)
    said = f"{extracted=} after {took:.1f} s and {meanwhile} other tasks; {waiting} of {BACKLOG} still wait"
    sys.stdout.write("\n".join([said, *lines[before - 2 : before + 24], ""]))
    assert extracted, worker.said()
    assert waiting > BACKLOG / 2, "The backlog was over before the end of the session came."
    numbers = {name: [int(line.split()[1]) for line in lines if name in line] for name in (other, third)}
    assert numbers[other] == list(range(len(numbers[other])))
    assert numbers[third] == list(range(10))
    places = [place for place, line in enumerate(lines) if third in line]
    assert all(later - earlier == 2 for earlier, later in pairwise(places)), "One of each workspace after the other."
    OrmQ.objects.all().delete()


def _lines(file: Path) -> list[str]:
    return file.read_text().splitlines() if file.exists() else []


def _unread(cast: Cast) -> int:
    with workspace_scope(cast.acme.caller):
        return Message.objects.filter(extracted_at=None).count()
