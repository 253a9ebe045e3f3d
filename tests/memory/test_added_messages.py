"""Adding messages: they are stored, and looked at after a pause, without an end to say."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django_q.models import OrmQ

from core.clock import utc_now
from core.stores import queued_tasks
from memory.episodes.services.added_messages import QUIET_SECONDS, daily_key
from memory.episodes.services.end_conversation import EXTRACT_TASK
from memory.episodes.tasks import extract_quiet
from memory.extraction.tasks import extract_conversation
from tests.cast import Cast, RestClient
from workspaces.access.callers import Right

PEANUTS = "I'm allergic to peanuts."
KEPT = "The user is allergic to peanuts."


def add(client: RestClient, *contents: str, **fields: Any) -> dict[str, Any]:
    messages = [{"role": "user", "content": content} for content in contents]
    answer = client.post("add", {"messages": messages, **fields})
    assert answer.status_code == 201, answer.content
    return dict(answer.json())


def after_a_pause() -> int:
    with time_machine.travel(utc_now() + timedelta(seconds=QUIET_SECONDS + 1)):
        return extract_quiet()


def run_queued() -> None:
    """Run the queued extractions, as the worker does."""
    for row in OrmQ.objects.order_by("id"):
        queued = queued_tasks.read(row.payload)
        if queued.path == EXTRACT_TASK:
            row.delete()
            extract_conversation(*map(str, queued.args))


def contents(client: RestClient, **spaces: str) -> list[str]:
    return [memory["content"] for memory in client.get("memories", **spaces).json()["results"]]


@pytest.mark.usefixtures("memory_on")
def test_added_messages_are_looked_at_once_after_a_pause(acme: RestClient) -> None:
    added = add(acme, "Hello!", PEANUTS, conversation="lunch")

    assert (added["conversation"], added["extracting"], added["reason"]) == ("lunch", True, None)
    stored = acme.get("conversations/lunch/messages").json()["results"]
    assert [message["id"] for message in stored] == added["message_ids"]
    assert extract_quiet() == 0

    assert after_a_pause() == 1
    run_queued()
    assert contents(acme) == [KEPT]
    [memory] = acme.get("memories").json()["results"]
    assert acme.get("conversations/lunch").json()["status"] == "open"

    assert after_a_pause() == 0
    add(acme, "Thank you.", conversation="lunch")
    assert after_a_pause() == 1
    run_queued()
    [again] = acme.get("memories").json()["results"]
    assert again == memory


@pytest.mark.usefixtures("memory_on")
def test_another_message_begins_the_pause_again(acme: RestClient) -> None:
    add(acme, PEANUTS, conversation="lunch")
    with time_machine.travel(utc_now() + timedelta(seconds=QUIET_SECONDS - 5)):
        add(acme, "And to walnuts.", conversation="lunch")
    assert after_a_pause() == 0
    with time_machine.travel(utc_now() + timedelta(seconds=QUIET_SECONDS)):
        assert after_a_pause() == 1


@pytest.mark.usefixtures("memory_on")
def test_without_a_conversation_there_is_one_for_each_day_and_space(acme: RestClient) -> None:
    first, second = add(acme, PEANUTS, user="ana"), add(acme, "I live in Bern.", user="ana")
    other = add(acme, "I prefer tea to coffee.", user="ben")

    assert first["conversation"] == daily_key(utc_now())
    assert first["conversation_id"] == second["conversation_id"] != other["conversation_id"]
    assert after_a_pause() == 2
    run_queued()
    run_queued()  # of one workspace one extraction is queued at a time
    assert set(contents(acme, user="ana", shared="false")) == {KEPT, "The user lives in Bern."}
    assert contents(acme, user="ben", shared="false") == ["The user prefers tea to coffee."]
    assert contents(acme) == []


def test_while_memory_is_off_messages_are_stored_and_passed_over(acme: RestClient) -> None:
    acme.post("memory/disable")
    added = add(acme, PEANUTS, conversation="lunch")

    assert (added["extracting"], added["reason"]) == (False, "memory_off")
    assert added["detail"].startswith("Memory is off")
    assert after_a_pause() == 0
    acme.post("memory/enable")
    ended = acme.post("conversations/lunch/end").json()
    assert (ended["reason"], ended["passed_over"]) == ("passed_over", 1)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "messages"),
        ({"messages": []}, "messages"),
        ({"messages": [{"role": "robot", "content": "Hi."}]}, "messages.0.role"),
        ({"messages": [{"role": "user", "content": "Hi."}], "conversation": "two\nlines"}, "conversation"),
        ({"messages": [{"role": "user", "content": "Hi."}], "text": "Hi."}, "text"),
    ],
)
def test_what_is_no_message_is_refused(acme: RestClient, body: Any, field: str) -> None:
    answer = acme.post("add", body)

    assert answer.status_code == 422
    assert field in {each["field"] for each in answer.json()["errors"]}


def test_adding_needs_write_and_charlie_sees_nothing(cast: Cast, acme: RestClient, umbrella: RestClient) -> None:
    add(acme, PEANUTS, conversation="lunch")
    reader = cast.acme.rest(Right.READ)

    assert reader.post("add", {"messages": [{"role": "user", "content": "Hi."}]}).status_code == 403
    own = add(umbrella, "Hello.", conversation="lunch")
    read = umbrella.get("conversations/lunch/messages").json()["results"]
    assert [message["id"] for message in read] == own["message_ids"]
