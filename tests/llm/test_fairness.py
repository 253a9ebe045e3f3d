"""A long import of one workspace does not keep the worker from a new memory of another."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from django_q.models import OrmQ

from conversations.models import Message
from tests.cast import Cast, RestClient
from tests.core.worker_process import becomes_true, running_worker
from workspaces.access.scope import workspace_scope

MESSAGES, BATCH = 2_000, 1_000
LONGEST_SECONDS = 5.0
# Some 100 tokens, so that the import keeps one worker process busy for longer than anybody may wait.
TEXT = "Where is the tea that was ordered on Monday, and who has put it on the second shelf? " * 5

pytestmark = [pytest.mark.alone, pytest.mark.django_db(transaction=True)]


def test_a_memory_is_found_by_meaning_while_another_workspace_takes_messages_in(
    cast: Cast, acme: RestClient, umbrella: RestClient, tmp_path: Path
) -> None:
    with running_worker(tmp_path):
        first = umbrella.remembered("The cafeteria serves hot beverages every morning.")["id"]
        assert becomes_true(lambda: _is_found(umbrella, first, "coffee or tea"))  # the worker has loaded its model
        for at in range(0, MESSAGES, BATCH):
            messages = [{"role": "user", "content": f"{number}. {TEXT}"} for number in range(at, at + BATCH)]
            assert acme.post("conversations/import/messages", {"messages": messages}).status_code == 201
        assert becomes_true(lambda: _waiting(cast) < MESSAGES)

        memory_id, began = umbrella.remembered("Rain came through the roof last night.")["id"], time.monotonic()
        assert becomes_true(lambda: _is_found(umbrella, memory_id, "Is the building watertight?"), seconds=30)

        waited, left = time.monotonic() - began, _waiting(cast)
        print(f"found by meaning after {waited:.2f} s, {left:,} messages waiting")  # noqa: T201  # with `pytest -s`
        assert waited < LONGEST_SECONDS
        assert left > MESSAGES / 2
    OrmQ.objects.all().delete()


def _is_found(client: RestClient, memory_id: str, query: str) -> bool:
    answer = client.post("memories/search", {"query": query, "mode": "semantic"}).json()
    return memory_id in [hit["memory"]["id"] for hit in answer["results"]]


def _waiting(cast: Cast) -> int:
    with workspace_scope(cast.acme.caller):
        return Message.objects.filter(needs_embedding=True).count()
