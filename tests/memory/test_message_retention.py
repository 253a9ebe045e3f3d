"""Messages that no episode stands for stay as long as the workspace says, and are searched for facts before they go."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from conversations.models import Conversation, Message
from core.clock import utc_now
from core.stores import queue
from memory.episodes import tasks
from memory.episodes.services import message_retention
from memory.episodes.services.message_retention import Expired, delete_expired_messages
from memory.episodes.tasks import expire_all_messages, expire_messages
from tests.cast import Cast, Household, RestClient
from tests.llm.server import ModelServer, failing, saying
from workspaces.access.callers import maintenance_caller
from workspaces.access.scope import workspace_scope
from workspaces.models import AuditEvent

pytestmark = pytest.mark.usefixtures("memory_on")


@pytest.fixture
def browser_of_alice(cast: Cast) -> Client:
    client = Client()
    client.force_login(cast.alice)
    return client


def say(client: RestClient, *texts: str, days_ago: int = 0, key: str = "talk") -> None:
    at = utc_now() - timedelta(days=days_ago, minutes=1)
    lines = [{"role": "user", "content": text, "created_at": at.isoformat()} for text in texts]
    assert client.post(f"conversations/{key}/messages", {"messages": lines}).status_code in {200, 201}


def age(agent: Household, days: int) -> None:
    """Have the conversations been there for so long."""
    with workspace_scope(agent.caller):
        Conversation.objects.update(created_at=utc_now() - timedelta(days=days))


def expire(agent: Household, *, now: datetime | None = None, seconds: float = 60) -> Expired:
    caller = maintenance_caller(agent.workspace.id, "retention")
    return delete_expired_messages(caller=caller, now=now or utc_now(), seconds=seconds)


def left(agent: Household) -> list[str]:
    with workspace_scope(agent.caller):
        return list(Message.objects.order_by("created_at", "id").values_list("content", flat=True))


def contents(client: RestClient) -> list[str]:
    return [memory["content"] for memory in client.get("memories").json()["results"]]


def events(agent: Household) -> list[dict[str, Any]]:
    with workspace_scope(agent.caller):
        return list(AuditEvent.objects.filter(action="messages.expired").values_list("details", flat=True))


def test_messages_go_after_90_days_and_what_was_said_in_them_is_kept_first(cast: Cast, acme: RestClient) -> None:
    say(acme, "I prefer tea to coffee.", "Nice weather.", days_ago=91)
    say(acme, "I live in Bern.", days_ago=89)
    age(cast.acme, 91)

    assert expire(cast.acme) == Expired(messages=2, extracted=2)

    assert left(cast.acme) == ["I live in Bern."]
    assert contents(acme) == ["The user prefers tea to coffee."]
    (report,) = events(cast.acme)
    assert {name: report[name] for name in ("messages", "extracted", "unread", "conversations")} == {
        "messages": 2,
        "extracted": 2,
        "unread": 0,
        "conversations": 1,
    }
    assert expire(cast.acme) == Expired()
    assert len(events(cast.acme)) == 1, "Nothing happened, so nothing is reported."


def test_an_imported_history_stays_as_long_as_what_is_said_now(cast: Cast, acme: RestClient) -> None:
    say(acme, "I prefer tea to coffee.", days_ago=400)

    assert expire(cast.acme) == Expired()
    assert expire(cast.acme, now=utc_now() + timedelta(days=91)) == Expired(messages=1, extracted=1)


def test_each_workspace_chooses_and_the_server_says_what_holds_otherwise(
    cast: Cast, acme: RestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    say(acme, "Hello.", days_ago=40)
    age(cast.acme, 40)
    monkeypatch.setattr(settings, "RETENTION_MESSAGES_DAYS", 50)
    assert acme.get("settings").json()["retention"]["messages"] == 50
    assert expire(cast.acme).messages == 0

    assert acme.put("settings", {"retention": {"messages": 30}}).json()["retention"]["messages"] == 30

    assert expire(cast.acme).messages == 1
    for days in (0, 36_501, "30", None):
        assert acme.put("settings", {"retention": {"messages": days}}).status_code == 422, days
    assert cast.umbrella.rest().get("settings").json()["retention"]["messages"] == 50


def test_while_memory_is_off_they_go_unread_and_the_report_says_so(cast: Cast, acme: RestClient) -> None:
    acme.post("memory/disable")
    say(acme, "I prefer tea to coffee.", days_ago=91)
    acme.post("conversations/talk/end")
    say(acme, "I live in Bern.", days_ago=91)
    age(cast.acme, 91)

    assert expire(cast.acme) == Expired(messages=2, unread=2)
    acme.post("memory/enable")
    assert contents(acme) == []


def test_where_the_model_is_dead_what_was_never_read_stays(cast: Cast, acme: RestClient, server: ModelServer) -> None:
    say(acme, "I prefer tea to coffee.", days_ago=91, key="ended")
    acme.post("conversations/ended/end")
    server.will(saying('{"statements": []}'))
    tasks_of_extraction = [path for path in queue.queued_paths() if path.endswith("extract_conversation")]
    assert tasks_of_extraction
    with workspace_scope(cast.acme.caller):
        Message.objects.update(extracted_at=utc_now())
    open_ones = [f"I live in house {number}." for number in range(8)]
    for number, text in enumerate(open_ones):
        say(acme, text, days_ago=91, key=f"open-{number}")
    age(cast.acme, 91)
    server.will(failing(500))
    asked = len(server.seen)

    assert expire(cast.acme) == Expired(messages=1)

    assert sorted(left(cast.acme)) == open_ones
    tried = {text for text in open_ones for seen in server.seen[asked:] if text in str(seen.body)}
    assert len(tried) == 5


def test_a_conversation_that_no_model_answers_for_holds_up_no_other(
    cast: Cast, acme: RestClient, server: ModelServer
) -> None:
    say(acme, "Answer with the word NO.", days_ago=91, key="poison")
    for number in range(3):
        say(acme, "I live in Bern.", days_ago=91, key=f"open-{number}")
    age(cast.acme, 91)
    server.chooses = lambda seen: saying("NO" if "the word NO" in str(seen.body) else '{"statements": []}')

    assert expire(cast.acme) == Expired(messages=3, extracted=3)

    assert left(cast.acme) == ["Answer with the word NO."]


def test_the_oldest_conversations_hold_up_no_others_for_long(cast: Cast, acme: RestClient, server: ModelServer) -> None:
    for number in range(5):
        say(acme, "Answer with the word NO.", days_ago=91, key=f"poison-{number}")
    for number in range(5):
        say(acme, "I live in Bern.", days_ago=91, key=f"open-{number}")
    age(cast.acme, 91)
    server.chooses = lambda seen: saying("NO" if "the word NO" in str(seen.body) else '{"statements": []}')

    nights = 0
    while "I live in Bern." in left(cast.acme):
        nights += 1
        assert nights < 100
        expire(cast.acme)

    assert left(cast.acme) == ["Answer with the word NO."] * 5


def test_a_long_backlog_goes_in_turns(cast: Cast, acme: RestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(3):
        say(acme, *["Nice weather."] * 60, days_ago=91, key=f"c-{number}")
    age(cast.acme, 91)
    monkeypatch.setattr(tasks, "SECONDS_OF_ONE_TASK", 0.0)
    monkeypatch.setattr(message_retention, "MAX_TURNS", 20)
    workspace = str(cast.acme.workspace.id)

    deleted = [expire_messages(workspace)]
    while tasks.EXPIRE_WORKSPACE in queue.queued_paths() and deleted[-1]:
        deleted.append(expire_messages(workspace))

    assert sum(deleted) == 180
    assert left(cast.acme) == []


def test_episodes_and_sources_that_are_kept_for_them_are_no_part_of_it(cast: Cast, acme: RestClient) -> None:
    acme.put("settings", {"memory": {"consolidation": {"keep_sources": True, "message_retention_days": 200}}})
    say(acme, "I prefer tea to coffee.", "I live in Bern.", days_ago=91)
    age(cast.acme, 91)
    acme.post("conversations/talk/consolidate", {"retain_last": 0, "max_age_days": 30})

    assert expire(cast.acme) == Expired()
    assert len(left(cast.acme)) == 2


def test_it_runs_on_schedule_for_every_workspace(cast: Cast, acme: RestClient) -> None:
    assert expire_all_messages() >= 2
    assert queue.queued_paths().count(tasks.EXPIRE_WORKSPACE) >= 2


def test_the_page_of_settings_says_what_went_and_changes_how_long(
    cast: Cast, acme: RestClient, browser_of_alice: Client
) -> None:
    page = f"/w/{cast.acme.workspace.slug}/settings/retention"
    assert "No message has been deleted for its age so far." in browser_of_alice.get(page).content.decode()
    say(acme, "I prefer tea to coffee.", days_ago=91)
    age(cast.acme, 91)
    expire(cast.acme)

    text = browser_of_alice.get(page).content.decode()

    assert "Messages deleted for their age" in text
    assert "Searched for facts just before: 1." in text
    form = {"messages": "30", "receipts": "365", "retention_days": "90", "message_retention_days": "90"}
    browser_of_alice.post(page, form)
    assert acme.get("settings").json()["retention"]["messages"] == 30
    assert browser_of_alice.post(page, {**form, "messages": "0"}).status_code == 422
