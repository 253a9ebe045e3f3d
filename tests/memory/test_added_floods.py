"""Floods of added messages: many conversations that fall quiet at once, and one that never does."""

from __future__ import annotations

from datetime import timedelta

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django_q.models import OrmQ

from core.clock import utc_now
from core.ids import new_id
from memory.episodes.services.added_messages import QUIET_SECONDS
from memory.episodes.services.end_conversation import EXTRACT_TASK
from memory.episodes.tasks import extract_quiet
from tests.cast import RestClient
from workspaces.access.callers import maintenance_caller
from workspaces.access.scope import workspace_scope
from workspaces.models import WaitingTask

# Of a pass over all workspaces, however many conversations one of them has: one by one they would take 10 each.
MAX_QUERIES = 150


def add(client: RestClient, content: str) -> None:
    message = {"role": "user", "content": content}
    answer = client.post("add", {"conversation": "chat", "messages": [message]})
    assert answer.status_code == 201, answer.content


@pytest.mark.usefixtures("memory_on")
def test_many_conversations_that_fall_quiet_cost_no_more_queries_than_one(acme: RestClient) -> None:
    caller = maintenance_caller(acme.workspace_id, "tests")
    kept = {"workspace_id": acme.workspace_id, "task": f"quiet {EXTRACT_TASK}", "arguments": [1]}
    with workspace_scope(caller):
        WaitingTask.objects.bulk_create([WaitingTask(**kept, subject=str(new_id())) for _ in range(300)])

    with CaptureQueriesContext(connection) as queries:
        assert extract_quiet() == 300

    assert len(queries) < MAX_QUERIES
    assert OrmQ.objects.count() == 1
    with workspace_scope(caller):
        assert WaitingTask.objects.of(caller).filter(task=EXTRACT_TASK).count() == 299
        assert not WaitingTask.objects.of(caller).filter(task=f"quiet {EXTRACT_TASK}").exists()


@pytest.mark.usefixtures("memory_on")
def test_a_conversation_that_never_falls_quiet_is_looked_at_all_the_same(acme: RestClient) -> None:
    start, queued = utc_now(), []
    for step in range(14):
        with time_machine.travel(start + timedelta(seconds=step * (QUIET_SECONDS - 10)), tick=False):
            add(acme, f"I had {step} cups of tea.")
            queued.append(extract_quiet())

    assert queued == [0] * 13 + [1]
