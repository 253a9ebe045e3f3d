"""Consolidating older messages into episodes, and recalling them, without a model."""

from __future__ import annotations

import logging
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from conversations.messages.selectors import access_conversation
from conversations.models import Conversation, Message
from core.clock import utc_now
from core.ids import new_id
from memory.episodes.services.consolidation import CONSOLIDATION_LEASE, summarize_old_turns
from memory.episodes.tasks import (
    consolidate_all,
    consolidate_conversation,
    consolidate_workspace,
    delete_expired_sources,
)
from memory.models import MemoryEpisode
from memory.recall.recent_episodes import recall_recent_episodes
from tests.cast import Cast, Household, RestClient
from tests.together import together
from workspaces.access.callers import Right
from workspaces.access.leases import take_lease
from workspaces.access.scope import workspace_scope

pytestmark = pytest.mark.usefixtures("memory_on")

TURNS = (
    "I decided to move the launch of the garden project to 12 March 2024.",
    "The budget for the garden project is 40,000 euros, and Priya from finance approved it.",
    "We agreed that Tom orders the apple trees from the nursery in Graz.",
    "The contract with the nursery ends on 30 September 2024.",
)


def fill(client: RestClient, count: int, *, key: str = "garden", days_ago: float = 60, text: str = "") -> None:
    """Messages one minute apart, the first one that many days ago."""
    first = utc_now() - timedelta(days=days_ago)
    lines = [
        {
            "role": ("user", "assistant")[number % 2],
            "content": text or f"{TURNS[number % len(TURNS)]} ({number})",
            "created_at": (first + timedelta(minutes=number)).isoformat(),
        }
        for number in range(count)
    ]
    for start in range(0, count, 1_000):
        assert (
            client.post(f"conversations/{key}/messages", {"messages": lines[start : start + 1_000]}).status_code == 201
        )


def consolidate(client: RestClient, key: str = "garden", **body: Any) -> dict[str, Any]:
    answer = client.post(f"conversations/{key}/consolidate", body)
    assert answer.status_code == 200, answer.content
    return dict(answer.json())


def turn_counts(client: RestClient, key: str = "garden") -> list[int]:
    """Of the episodes, oldest first."""
    return [one["turn_count"] for one in client.get(f"conversations/{key}/episodes", limit=200).json()["results"]][::-1]


def messages_left(household: Household, key: str = "garden") -> int:
    with workspace_scope(household.caller):
        return Message.objects.filter(conversation__key=key, consolidated_at=None).count()


def conversation_of(household: Household, key: str = "garden") -> Conversation:
    return access_conversation(household.caller, key)


def add_episode(household: Household, summary: str, turns: int, *, hour: int) -> None:
    with workspace_scope(household.caller):
        at = utc_now() - timedelta(days=50) + timedelta(hours=hour)
        MemoryEpisode.objects.create(
            workspace_id=household.workspace.id,
            conversation=conversation_of(household),
            summary=summary,
            source_message_ids=[],
            turn_count=turns,
            period_start=at,
            period_end=at,
        )


def test_the_recall_block_is_exact(cast: Cast, acme: RestClient) -> None:
    fill(acme, 1)
    garden = conversation_of(cast.acme)
    assert recall_recent_episodes(caller=cast.acme.caller, conversation=garden) == ""
    # The sixth newest is left out, and the order is that of the conversation, not that of writing.
    for hour, summary in ((5, "Five."), (1, "One."), (2, "Two."), (3, "Three."), (0, "Zero."), (4, "Four.")):
        add_episode(cast.acme, summary, 10 + hour, hour=hour)

    assert recall_recent_episodes(caller=cast.acme.caller, conversation=garden) == (
        "Earlier conversation summaries (most recent last):\n"
        "- (11 turns) One.\n"
        "- (12 turns) Two.\n"
        "- (13 turns) Three.\n"
        "- (14 turns) Four.\n"
        "- (15 turns) Five."
    )


def test_a_failing_recall_is_logged_without_content_and_swallowed(
    cast: Cast, acme: RestClient, caplog: pytest.LogCaptureFixture
) -> None:
    fill(acme, 1)
    add_episode(cast.acme, "The garden is secret.", 12, hour=1)
    garden = conversation_of(cast.acme)
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE app.memory_episodes RENAME TO memory_episodes_gone")

    with caplog.at_level(logging.WARNING):
        assert recall_recent_episodes(caller=cast.acme.caller, conversation=garden) == ""

    (record,) = [record for record in caplog.records if record.name == "memory.recall.guard"]
    assert (record.levelname, str(garden.id) in record.getMessage()) == ("WARNING", True)
    assert "secret" not in caplog.text
    assert acme.get("conversations/garden/messages").status_code == 200


def test_older_messages_become_an_episode_and_are_gone(cast: Cast, acme: RestClient) -> None:
    fill(acme, 30)
    sources = [message["id"] for message in acme.get("conversations/garden/messages", last=30).json()["results"][:10]]

    done = consolidate(acme)

    (episode,) = done["episodes"]
    assert (done["turns"], done["finished"], episode["turn_count"]) == (10, True, 10)
    assert episode["source_message_ids"] == sources
    assert episode["summary"] == " ".join(episode["summary"].split()) != ""
    assert acme.get("conversations/garden/episodes").json()["results"] == [episode]
    assert messages_left(cast.acme) == 20
    window = acme.get("conversations/garden/window").json()
    assert window["text"] == f"Earlier conversation summaries (most recent last):\n- (10 turns) {episode['summary']}"
    assert [message["id"] for message in window["messages"]] == [
        message["id"] for message in acme.get("conversations/garden/messages").json()["results"]
    ]
    assert recall_recent_episodes(caller=cast.acme.caller, conversation=conversation_of(cast.acme)) == window["text"]


def test_a_second_run_finds_nothing(cast: Cast, acme: RestClient) -> None:
    fill(acme, 30)
    consolidate(acme)

    assert consolidate(acme) == {"episodes": [], "turns": 0, "finished": True}
    assert (turn_counts(acme), messages_left(cast.acme)) == ([10], 20)


@pytest.mark.parametrize(
    ("count", "days_ago", "body", "turns", "left"),
    [
        (0, 60, {}, [], 1),  # besides these, each conversation has one message of now
        (21, 60, {}, [2], 20),
        (20, 60, {}, [], 21),
        (40, 29, {}, [], 41),
        (40, 31, {}, [21], 20),
        (40, 3, {"max_age_days": 2}, [21], 20),
        (40, 60, {"retain_last": 0}, [40], 1),
        (40, 60, {"retain_last": 1}, [40], 1),
        (40, 60, {"retain_last": 39}, [2], 39),
        (40, 60, {"retain_last": 40}, [], 41),
        (40, 60, {"retain_last": 10_000}, [], 41),
        (3, 0.1, {"retain_last": 0, "max_age_days": 0}, [4], 0),
        (101, 60, {"retain_last": 0}, [100], 2),
        (102, 60, {"retain_last": 0}, [100, 2], 1),
        (250, 60, {"retain_last": 0}, [100, 100, 50], 1),
    ],
)
def test_chooses_by_age_and_place(
    cast: Cast, acme: RestClient, *, count: int, days_ago: float, body: dict[str, Any], turns: list[int], left: int
) -> None:
    if count:
        fill(acme, count, days_ago=days_ago)
    acme.post("conversations/garden/messages", {"role": "user", "content": "I decided to plant pears on 3 May."})

    consolidate(acme, **body)

    assert (turn_counts(acme), messages_left(cast.acme)) == (turns, left)


def test_a_long_backlog_is_cut_by_tokens(cast: Cast, acme: RestClient) -> None:
    fill(acme, 40, text="I decided to plant an apple tree in Graz. " * 100)

    consolidate(acme, retain_last=0)

    counts = turn_counts(acme)
    assert sum(counts) + messages_left(cast.acme) == 40
    assert max(counts) <= 6, "1,000 tokens each"


def test_two_giant_messages_fit_into_one_episode(cast: Cast, acme: RestClient) -> None:
    fill(acme, 4, text="I decided to plant an apple tree in Graz. " * 2_000)

    consolidate(acme, retain_last=0)

    assert turn_counts(acme) == [2, 2]


def test_ages_are_counted_by_when_it_was_said(cast: Cast, acme: RestClient) -> None:
    fill(acme, 5, days_ago=1)
    fill(acme, 25, days_ago=60)

    consolidate(acme)

    assert (turn_counts(acme), messages_left(cast.acme)) == ([10], 20)


def test_paused_while_memory_is_off_and_recall_is_not(cast: Cast, acme: RestClient) -> None:
    fill(acme, 60)
    consolidate(acme, retain_last=30)
    acme.post("memory/disable")

    refused = acme.post("conversations/garden/consolidate")

    assert (refused.status_code, refused.json()["code"]) == (409, "memory_disabled")
    assert messages_left(cast.acme) == 30
    assert acme.get("conversations/garden/window").json()["text"].startswith("Earlier conversation summaries")
    assert consolidate_conversation(str(cast.acme.workspace.id), str(conversation_of(cast.acme).id), 0, 0) == 0
    assert messages_left(cast.acme) == 30


def test_kept_sources_are_marked_hidden_and_deleted_in_their_time(cast: Cast, acme: RestClient) -> None:
    acme.put("settings", {"memory": {"consolidation": {"keep_sources": True, "message_retention_days": 90}}})
    fill(acme, 10, days_ago=100)
    fill(acme, 30, days_ago=60)

    consolidate(acme)

    assert (turn_counts(acme), messages_left(cast.acme)) == ([20], 20)
    assert consolidate(acme)["episodes"] == []
    kept = acme.get("conversations/garden/messages", last=40).json()["results"]
    assert [message["consolidated_at"] is not None for message in kept] == [True] * 20 + [False] * 20
    assert len(acme.get("conversations/garden/window", last=200).json()["messages"]) == 20
    assert delete_expired_sources() == 10
    assert len(acme.get("conversations/garden/messages", last=200).json()["results"]) == 30
    acme.put("settings", {"memory": {"consolidation": {"keep_sources": False}}})
    assert delete_expired_sources() == 10
    assert (turn_counts(acme), messages_left(cast.acme)) == ([20], 20)


def test_runs_on_schedule_where_it_was_asked_for(cast: Cast, acme: RestClient) -> None:
    fill(acme, 40)
    workspace = str(cast.acme.workspace.id)
    assert consolidate_all() == 0

    acme.put("settings", {"memory": {"consolidation": {"scheduled": True, "retain_last": 35}}})
    assert consolidate_all() == 1
    assert consolidate_workspace(workspace) == 1
    assert consolidate_conversation(workspace, str(conversation_of(cast.acme).id), 35, 30) == 1
    assert turn_counts(acme) == [5]
    assert consolidate_workspace(workspace) == 0


def test_a_conversation_with_one_old_message_gets_no_task(cast: Cast, acme: RestClient) -> None:
    fill(acme, 1)
    fill(acme, 40, days_ago=2)

    assert consolidate_workspace(str(cast.acme.workspace.id)) == 0
    fill(acme, 1, days_ago=59)
    assert consolidate_workspace(str(cast.acme.workspace.id)) == 1


@pytest.mark.parametrize(
    "body",
    [{"retain_last": -1}, {"retain_last": "5"}, {"retain_last": 10_001}, {"max_age_days": 1.5}, {"all": True}, []],
)
def test_refuses_bad_bodies(cast: Cast, acme: RestClient, body: Any) -> None:
    fill(acme, 30)

    assert acme.post("conversations/garden/consolidate", body).status_code == 422
    assert messages_left(cast.acme) == 30


def test_consolidating_needs_write(cast: Cast, acme: RestClient) -> None:
    fill(acme, 30)

    refused = cast.acme.rest(Right.READ).post("conversations/garden/consolidate")

    assert (refused.status_code, refused.json()["code"]) == (403, "missing_scope")


def test_charlie_sees_nothing(cast: Cast, acme: RestClient, umbrella: RestClient) -> None:
    fill(acme, 30)
    umbrella.post("memory/enable")
    identity = conversation_of(cast.acme).id
    for key in ("garden", str(identity)):
        assert umbrella.get(f"conversations/{key}").status_code == 404
        assert umbrella.get(f"conversations/{key}/episodes").status_code == 404
        assert umbrella.get(f"conversations/{key}/window").status_code == 404
        for verb in ("consolidate", "end"):
            assert umbrella.post(f"conversations/{key}/{verb}").status_code == 404
        assert umbrella.delete(f"conversations/{key}").status_code == 404
        assert umbrella.delete(f"/v1/conversations/{key}").status_code == 404
    assert messages_left(cast.acme) == 30


@pytest.mark.django_db(transaction=True)
def test_of_two_at_once_one_works_and_one_finds_nothing(cast: Cast, acme: RestClient) -> None:
    fill(acme, 250)
    garden = conversation_of(cast.acme)

    def run() -> int:
        return len(summarize_old_turns(caller=cast.acme.caller, conversation=garden).episodes)

    assert sorted(together([run, run])) == [0, 3]
    assert sum(turn_counts(acme)) + messages_left(cast.acme) == 250


@pytest.mark.django_db(transaction=True)
def test_without_redis_two_at_once_still_lose_nothing(cast: Cast, acme: RestClient, settings: Any) -> None:
    fill(acme, 250)
    garden = conversation_of(cast.acme)
    settings.REDIS_URL = "redis://127.0.0.1:1/0"

    def run() -> int:
        return len(summarize_old_turns(caller=cast.acme.caller, conversation=garden).episodes)

    made = together([run, run])
    assert sum(made) == len(turn_counts(acme))
    assert sum(turn_counts(acme)) + messages_left(cast.acme) == 250


def test_a_lease_that_another_run_holds_is_waited_for(cast: Cast, acme: RestClient) -> None:
    fill(acme, 30)
    name = f"{CONSOLIDATION_LEASE} {conversation_of(cast.acme).id}"
    lease = take_lease(caller=cast.acme.caller, name=name, seconds=60)
    assert lease
    assert consolidate(acme)["episodes"] == []

    lease.release()

    assert len(consolidate(acme)["episodes"]) == 1


def test_the_command_consolidates_one_conversation_or_all(cast: Cast, acme: RestClient) -> None:
    for key in ("garden", "house", "shed"):
        fill(acme, 30, key=key)
    workspace = str(cast.acme.workspace.id)
    told = StringIO()

    call_command("consolidate", workspace, conversation="garden", retain_last=28, stdout=told)
    call_command("consolidate", workspace, stdout=told)

    assert sorted(told.getvalue().splitlines()) == [
        "garden  1 episode for 2 messages",
        "garden  1 episode for 8 messages",
        "house  1 episode for 10 messages",
        "shed  1 episode for 10 messages",
    ]
    call_command("consolidate", workspace, stdout=told)
    assert told.getvalue().splitlines()[-1].startswith("Nothing to consolidate: ")
    acme.post("memory/disable")
    with pytest.raises(CommandError, match="switched off"):
        call_command("consolidate", workspace, conversation="garden")
    with pytest.raises(CommandError, match="no such object"):
        call_command("consolidate", str(new_id()))


def test_a_summary_holds_no_secret(cast: Cast, acme: RestClient) -> None:
    fill(acme, 30, text=f"I decided to use the token ghp_{'a1B2' * 9} in Graz.\nThe budget is 40,000 euros for 2024.")

    (episode,) = consolidate(acme)["episodes"]

    assert "ghp_" not in episode["summary"]
    assert "40,000 euros" in episode["summary"]
