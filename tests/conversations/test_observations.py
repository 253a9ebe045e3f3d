"""Observations of long conversations, without a model: what windows, chats and pages are given of them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest

from conversations.models import BatchState, Conversation, Message, ObservationBatch, ObservationCursor
from conversations.observations import tasks
from conversations.observations.block import HEADING
from conversations.observations.observation_rules import observe_by_rules
from conversations.observations.services import observer
from conversations.observations.services.observer import OBSERVATION_LEASE
from conversations.observations.tasks import observe_all, observe_workspace
from core.clock import utc_now
from core.stores import queue
from tests.cast import Cast, RestClient
from tests.conversations.observing import (
    KEY,
    PAYLOAD,
    SECRET,
    assert_consistent,
    batches,
    loop_messages,
    observations,
    observe,
    prompt,
    raw_prefixes,
    say,
    set_tokens,
    tokens_of,
    window,
)
from workspaces.access.callers import maintenance_caller
from workspaces.access.leases import HeldLease, take_lease
from workspaces.access.scope import workspace_scope

OBSERVE = "conversations.observations.tasks.observe_workspace"


@pytest.fixture
def acme(cast: Cast) -> RestClient:
    """REST as Acme's agent, whose workspace observes from 2,000 tokens on."""
    client = cast.acme.rest()
    set_tokens(client)
    return client


def states(cast: Cast) -> list[str]:
    return [batch.state for batch in batches(cast.acme)]


def test_a_short_conversation_has_no_observations(cast: Cast, acme: RestClient) -> None:
    say(acme, loop_messages(4))

    assert observe(cast.acme) == 0
    shown = window(acme)
    assert shown["observations"] == {"text": "", "tokens": 0, "count": 0, "generation": 0, "omitted": 0}
    assert [one["content"] for one in shown["raw"]["messages"]] == [one["content"] for one in loop_messages(4)]
    assert (shown["raw"]["tokens"], shown["raw"]["omitted"]) == (tokens_of(shown), 0)
    assert [one["id"] for one in shown["messages"]] == [one["id"] for one in shown["raw"]["messages"]]


def test_a_fifth_is_observed_ahead_and_leaves_the_messages_where_they_are(cast: Cast, acme: RestClient) -> None:
    say(acme, loop_messages(12))

    assert observe(cast.acme) == 1

    shown = window(acme)
    assert (states(cast), shown["observations"]["text"]) == ([BatchState.BUFFERED], "")
    assert len(shown["raw"]["messages"]) == 12
    assert_consistent(cast.acme)


def test_above_the_threshold_observations_take_the_place_of_their_messages(cast: Cast, acme: RestClient) -> None:
    for start in range(0, 40, 5):
        say(acme, loop_messages(5, start=start))
        observe(cast.acme)

    shown = window(acme)
    assert BatchState.ACTIVE in states(cast)
    assert shown["observations"]["text"].startswith(HEADING)
    assert shown["observations"]["count"] == sum(
        one.batch.state == BatchState.ACTIVE for one in observations(cast.acme)
    )
    raw = [one["id"] for one in shown["raw"]["messages"]]
    standing = {str(each) for one in batches(cast.acme) if one.state == "active" for each in one.source_message_ids}
    assert not standing & set(raw)
    assert len(standing) + len(raw) == 40, "Each message is in one of the two blocks."
    assert shown["raw"]["tokens"] <= 2_000
    assert_consistent(cast.acme)


def test_the_append_that_fills_the_block_makes_room_by_itself(cast: Cast, acme: RestClient) -> None:
    say(acme, loop_messages(12))
    observe(cast.acme)
    assert set(states(cast)) == {BatchState.BUFFERED}

    say(acme, loop_messages(9, start=12))

    assert set(states(cast)) == {BatchState.ACTIVE}, "Nobody waited for a worker."
    assert window(acme)["observations"]["count"] > 0


def test_observations_are_dated_say_their_kind_and_copy_no_payload(cast: Cast, acme: RestClient) -> None:
    begin = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)
    messages = loop_messages(30, begin=begin)
    messages[1]["content"] = f"The api_key = {SECRET} and write to mara@example.com about the certificate."
    say(acme, messages)
    say(acme, loop_messages(30, start=30, begin=begin + timedelta(days=4)))
    observe(cast.acme)

    text = window(acme)["observations"]["text"]

    assert "\nMonday 2026-03-02:\n- 09:30 critical: " in text
    assert "Never deploy order service 0 on a Friday." in text
    assert "\n(4 days without observations)\nFriday 2026-03-06:\n" in text
    assert "search_orders" in text
    assert "(401)" in text
    copied = [word for word in (PAYLOAD, SECRET, "print(", "mara@example.com", "row-") if word in text]
    assert copied == []
    assert "completion: " in text
    sources = sum(batch.source_tokens for batch in batches(cast.acme) if batch.state == "active")
    assert sources >= 5 * sum(one.tokens for one in observations(cast.acme) if one.batch.state == "active")


def test_the_block_of_each_turn_begins_with_that_of_the_turn_before(cast: Cast, acme: RestClient) -> None:
    blocks, unchanged, whole = [], 0, 0
    before = ""
    for start in range(0, 66, 3):
        say(acme, loop_messages(3, start=start))
        observe(cast.acme)
        blocks.append(window(acme)["observations"]["text"])
        text = prompt(acme)
        unchanged += next((n for n, (a, b) in enumerate(zip(before, text, strict=False)) if a != b), len(before))
        whole += len(text)
        before = text

    assert len(set(blocks)) > 3
    assert all(raw_prefixes(blocks))
    assert unchanged > 0.5 * whole
    assert_consistent(cast.acme)


def test_late_messages_of_earlier_times_are_observed_as_well(cast: Cast, acme: RestClient) -> None:
    say(acme, loop_messages(30))
    observe(cast.acme)
    before = window(acme)["observations"]["text"]

    say(acme, loop_messages(10, start=500, begin=utc_now() - timedelta(days=30)))
    observe(cast.acme)
    say(acme, loop_messages(8, start=600, begin=utc_now() - timedelta(hours=1)))
    observe(cast.acme)

    text = window(acme)["observations"]["text"]
    assert text.startswith(before)
    assert ", before that:\n" in text
    assert_consistent(cast.acme)


def test_messages_that_became_an_episode_keep_their_observations(cast: Cast, acme: RestClient) -> None:
    say(acme, loop_messages(40, begin=utc_now() - timedelta(days=60)))
    observe(cast.acme)
    before = window(acme)["observations"]

    answer = acme.post(f"conversations/{KEY}/consolidate", {"retain_last": 5, "max_age_days": 30})

    assert answer.status_code == 200
    assert answer.json()["turn_count" if "turn_count" in answer.json() else "episodes"]
    after = window(acme)
    assert after["observations"] == before
    assert len(after["raw"]["messages"]) == 5
    say(acme, loop_messages(12, start=100))
    observe(cast.acme)
    assert_consistent(cast.acme)


def test_messages_that_go_while_they_are_observed_are_not_observed(
    cast: Cast, acme: RestClient, monkeypatch: pytest.MonkeyPatch
) -> None:

    say(acme, loop_messages(12))
    real = observe_by_rules

    def delete_first(messages: Any, **given: Any) -> Any:
        monkeypatch.setattr(observer, "observe_by_rules", real)
        with workspace_scope(cast.acme.caller):
            Message.objects.filter(id=messages[0].id).delete()
        return real(messages, **given)

    monkeypatch.setattr(observer, "observe_by_rules", delete_first)
    observe(cast.acme)

    with workspace_scope(cast.acme.caller):
        there = set(Message.objects.values_list("id", flat=True))
    assert {each for batch in batches(cast.acme) for each in batch.source_message_ids} <= there
    assert_consistent(cast.acme)


def test_nothing_is_observed_while_memory_is_off(cast: Cast, acme: RestClient) -> None:
    acme.post("memory/disable")
    say(acme, loop_messages(40))

    assert OBSERVE not in queue.queued_paths()
    assert (observe(cast.acme), observe_all(), batches(cast.acme)) == (0, 0, [])
    assert len(window(acme)["raw"]["messages"]) == 5, "As many as the recent ones."

    acme.post("memory/enable")
    say(acme, loop_messages(1, start=40))
    assert observe(cast.acme) > 1


def test_switching_off_ends_what_runs_and_keeps_what_there_is(
    cast: Cast, acme: RestClient, monkeypatch: pytest.MonkeyPatch
) -> None:

    say(acme, loop_messages(60))
    real = observe_by_rules

    def switch_off(messages: Any, **given: Any) -> Any:
        if len(batches(cast.acme)) == 2:
            acme.post("memory/disable")
        return real(messages, **given)

    monkeypatch.setattr(observer, "observe_by_rules", switch_off)
    observe(cast.acme)

    assert len(batches(cast.acme)) == 2, "What was being observed then was not kept."
    assert window(acme)["observations"]["count"] > 0
    assert_consistent(cast.acme)


def test_a_nudge_is_queued_once_there_is_enough_and_the_schedule_finds_what_was_left(
    cast: Cast, acme: RestClient, django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        say(acme, loop_messages(1))
    assert OBSERVE not in queue.queued_paths()

    with django_capture_on_commit_callbacks(execute=True):
        say(acme, loop_messages(12, start=1))
    assert queue.queued_paths().count(OBSERVE) == 1

    assert observe_workspace(str(cast.acme.workspace.id)) >= 1
    assert observe_all() == 0


def test_while_another_process_observes_a_conversation_this_one_leaves(cast: Cast, acme: RestClient) -> None:
    say(acme, loop_messages(20))
    with workspace_scope(cast.acme.caller):
        identity = Conversation.objects.get(key=KEY).id
    lease = take_lease(caller=cast.acme.caller, name=f"{OBSERVATION_LEASE} {identity}", seconds=60)

    assert observe(cast.acme) == 0
    assert lease is not None
    lease.release()
    assert observe(cast.acme) >= 1


def test_reflection_keeps_what_is_critical_and_begins_a_new_generation(cast: Cast, acme: RestClient) -> None:
    set_tokens(acme, 1_000, reflect_tokens=1_000)
    seen = []
    for start in range(0, 300, 25):
        say(acme, loop_messages(25, start=start))
        observe(cast.acme)
        seen.append(window(acme)["observations"])

    generations = [each["generation"] for each in seen]
    assert generations[-1] >= 1
    assert generations == sorted(generations)
    for before, after in pairwise(seen):
        is_same = before["generation"] == after["generation"]
        assert not is_same or after["text"].startswith(before["text"])
    first = [one for one in observations(cast.acme) if one.kind == "critical"]
    assert any("order service 0 " in one.text for one in first)
    assert len([one for one in seen[-1]["text"].splitlines() if " critical: " in one]) > 10
    assert "info: " not in seen[-1]["text"].split("order service 90 ")[0]
    assert_consistent(cast.acme)


@pytest.mark.parametrize("has_observations", [True, False])
def test_a_count_of_what_is_not_there_holds_up_no_worker(
    cast: Cast, acme: RestClient, monkeypatch: pytest.MonkeyPatch, *, has_observations: bool
) -> None:
    say(acme, loop_messages(40))
    observe(cast.acme)
    with workspace_scope(maintenance_caller(cast.acme.workspace.id, "test")):
        ObservationCursor.objects.update(observation_tokens=1_000_000_000, due_since=utc_now())
        if not has_observations:
            ObservationBatch.objects.filter(state=BatchState.ACTIVE).update(state=BatchState.REFLECTED)
    rounds = []
    renew = HeldLease.renew

    def renew_counted(lease: HeldLease) -> bool:
        rounds.append(lease)
        return len(rounds) < 50 and renew(lease)  # or the test would not end either

    monkeypatch.setattr(HeldLease, "renew", renew_counted)

    observe(cast.acme)

    assert len(rounds) < 10
    with workspace_scope(maintenance_caller(cast.acme.workspace.id, "test")):
        (cursor,) = ObservationCursor.objects.all()
    assert cursor.due_since is None
    assert_consistent(cast.acme)


@pytest.mark.parametrize("budget", [30, 120, 400, 1_000, 5_000])
def test_under_a_budget_what_is_critical_and_newest_survives(cast: Cast, acme: RestClient, budget: int) -> None:
    for start in range(0, 80, 10):
        say(acme, loop_messages(10, start=start))
        observe(cast.acme)
    whole = window(acme)

    shown = window(acme, token_budget=budget)

    assert tokens_of(shown) <= budget
    assert shown["observations"]["tokens"] + shown["raw"]["tokens"] <= budget
    assert shown["observations"]["count"] + shown["observations"]["omitted"] == whole["observations"]["count"]
    kinds = [line.split()[2] for line in shown["observations"]["text"].splitlines() if line.startswith("- ")]
    if shown["observations"]["omitted"] and kinds:
        assert "critical:" in kinds
    if shown["raw"]["messages"]:
        assert shown["raw"]["messages"][-1] == whole["raw"]["messages"][-1]


@pytest.mark.parametrize(("query", "status"), [({"token_budget": 0}, 422), ({"token_budget": "x"}, 422)])
def test_a_budget_is_a_number_of_tokens(acme: RestClient, query: dict[str, Any], status: int) -> None:
    say(acme, loop_messages(1))

    assert acme.get(f"conversations/{KEY}/window", **query).status_code == status


def test_a_conversation_with_a_long_backlog_lets_others_have_their_turn(
    cast: Cast, acme: RestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    say(acme, loop_messages(40))
    say(acme, loop_messages(20), key="other")
    monkeypatch.setattr(tasks, "SECONDS_OF_ONE_TASK", 0.001)

    for _ in range(2):
        assert observe_workspace(str(cast.acme.workspace.id)) == 1

    assert [_begun(cast, key) for key in (KEY, "other")] == [1, 1]


def _begun(cast: Cast, key: str) -> int:
    with workspace_scope(cast.acme.caller):
        return ObservationBatch.objects.filter(conversation__key=key).count()
