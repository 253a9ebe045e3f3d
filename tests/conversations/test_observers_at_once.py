"""Several workers and many appends at the same moment: each message is observed once, whoever dies."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest
from django.conf import settings
from django.db import connection

from conversations.models import BatchState, Conversation, Message, ObservationBatch, ObservationCursor
from conversations.observations.drawn_observations import DrawnObservation
from conversations.observations.kinds import ObservationKind
from conversations.observations.observation_rules import observe_by_rules
from conversations.observations.services import observer
from conversations.observations.services.batches import store_observations
from conversations.observations.tasks import observe_workspace
from core.clock import utc_now
from core.ids import new_id
from tests.awaiting import comes_true
from tests.cast import Cast, Household
from tests.conversations.observing import (
    assert_consistent,
    batches,
    loop_messages,
    observations,
    observe,
    say,
    set_tokens,
    window,
)
from tests.serving import serving_environment
from tests.together import together
from workspaces.access.scope import workspace_scope
from workspaces.models import Lease

pytestmark = [pytest.mark.heavy, pytest.mark.django_db(transaction=True)]

APPENDS, WORKERS = 20, 2
KINDS = list(ObservationKind)
MAY = datetime(2026, 5, 4, 9, tzinfo=UTC)


def test_two_workers_and_twenty_appends_observe_each_message_once(cast: Cast) -> None:
    client = cast.acme.rest()
    set_tokens(client)
    say(client, loop_messages(10))

    def append(number: int) -> Any:
        return lambda: say(client, loop_messages(6, start=100 * number))

    def work() -> None:
        until = time.monotonic() + 6
        while time.monotonic() < until:
            observe_workspace(str(cast.acme.workspace.id))
            time.sleep(0.02)

    together([*(append(number) for number in range(1, APPENDS + 1)), *[work] * WORKERS])
    observe(cast.acme)

    assert_consistent(cast.acme)
    with workspace_scope(cast.acme.caller):
        waiting = Message.objects.filter(observation_batch=None).count()
        assert Message.objects.count() == 10 + 6 * APPENDS
    assert sum(batch.message_count for batch in batches(cast.acme)) == 10 + 6 * APPENDS - waiting
    assert waiting < 15
    assert window(client)["observations"]["count"] > 0


def test_no_append_waits_for_a_slow_observer(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    client = cast.acme.rest()
    set_tokens(client)
    say(client, loop_messages(20))
    real, took = observe_by_rules, list[float]()

    def observe_slowly(messages: Any, **given: Any) -> Any:
        time.sleep(1.5)
        return real(messages, **given)

    def append() -> None:
        time.sleep(0.3)
        for number in range(5):
            began = time.monotonic()
            say(client, loop_messages(1, start=500 + number))
            took.append(time.monotonic() - began)

    monkeypatch.setattr(observer, "observe_by_rules", observe_slowly)
    together([lambda: observe(cast.acme), append])

    assert max(took) < 1.0
    assert_consistent(cast.acme)


@pytest.mark.slow
def test_a_worker_that_is_killed_at_every_statement_of_an_observation_loses_and_doubles_nothing(cast: Cast) -> None:
    client = cast.acme.rest()
    set_tokens(client, 1_000)
    ids = _fill(cast.acme, 150, messages=14)

    *killed, finished = _run_and_die(cast.acme, ids)

    assert len(killed) >= 30
    made = {len([one for one in batches(cast.acme) if str(one.conversation_id) == identity]) for identity in killed}
    assert {0, 1} <= made, "Before and after a batch."
    _assert_finished_as_if_nothing_had_happened(cast.acme, [*killed, finished])


@pytest.mark.slow
def test_a_worker_that_is_killed_at_every_statement_of_a_reflection_loses_and_doubles_nothing(cast: Cast) -> None:
    set_tokens(cast.acme.rest(), 1_000, reflect_tokens=1_000)
    ids = _fill(cast.acme, 50, messages=1)
    for identity in ids:
        _add_observations(cast.acme, UUID(identity))

    *killed, finished = _run_and_die(cast.acme, ids)

    assert len(killed) >= 15
    assert {cursor.generation for cursor in _cursors(cast.acme)} == {0, 1}, "Before and after the reflection."
    _assert_finished_as_if_nothing_had_happened(cast.acme, [*killed, finished])
    assert {cursor.generation for cursor in _cursors(cast.acme)} == {1}


def _fill(household: Household, count: int, *, messages: int) -> list[str]:
    """Have conversations with the same messages; return their ids."""
    for number in range(count):
        say(household.rest(), loop_messages(messages), key=f"loop-{number}")
    with workspace_scope(household.caller):
        return [str(identity) for identity in Conversation.objects.values_list("id", flat=True)]


def _add_observations(household: Household, conversation: UUID) -> None:
    """Give a conversation two batches with more observations than it may have."""
    texts = [f"The certificate of branch {number} had expired in 2024 and was renewed." for number in range(30)]
    seen = [DrawnObservation(KINDS[number % 4], text, MAY, (new_id(),)) for number, text in enumerate(texts)]
    tokens = sum(each.tokens for each in seen)
    with workspace_scope(household.caller):
        for number in (1, 2):
            batch = ObservationBatch.objects.create(
                **{"workspace_id": household.workspace.id, "conversation_id": conversation, "number": number},
                **{"state": BatchState.ACTIVE, "method": "rules", "source_message_ids": [], "message_count": 0},
                **{"source_tokens": 0, "tokens": tokens, "period_start": MAY, "period_end": MAY},
            )
            store_observations(caller=household.caller, batch=batch, drawn=seen)
        cursors = ObservationCursor.objects.filter(conversation_id=conversation)
        assert cursors.update(observation_tokens=2 * tokens) == 1


def _run_and_die(household: Household, conversations: Sequence[str]) -> list[str]:
    """Observe conversations, each in a child that is killed one statement later; return those that were begun."""
    ended = _run(household, conversations)
    *killed, _ = ended
    assert [*ended.values()] == [signal.SIGKILL] * len(killed) + [0], "Its last steps were never reached."
    assert_consistent(household)
    return [*ended]


def _assert_finished_as_if_nothing_had_happened(household: Household, conversations: Sequence[str]) -> None:
    """The next run, once the leases of the dead have run out, does what was left."""
    assert comes_true(_are_the_dead_gone), "A statement of a killed child still holds its rows, which are passed over."
    with workspace_scope(household.caller):
        Lease.objects.update(until=utc_now())
        ObservationCursor.objects.update(due_since=utc_now())
    observe(household)
    assert_consistent(household)
    assert len({_shape(household, UUID(identity)) for identity in conversations}) == 1


def _are_the_dead_gone() -> bool:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT NOT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database()"
            " AND pid <> pg_backend_pid() AND backend_type = 'client backend' AND state <> 'idle')"
        )
        return bool(cursor.fetchone()[0])


def _cursors(household: Household) -> list[ObservationCursor]:
    with workspace_scope(household.caller):
        return list(ObservationCursor.objects.all())


def _shape(household: Household, conversation: UUID) -> tuple[Any, ...]:
    """What was observed of a conversation, without ids."""
    own = [one for one in batches(household) if one.conversation_id == conversation]
    texts = [one.text for one in observations(household) if one.conversation_id == conversation]
    return tuple((one.number, one.state, one.message_count, one.source_tokens) for one in own), tuple(texts)


def _run(household: Household, conversations: Sequence[str]) -> dict[str, int]:
    """Run tests.conversations.crashing as the serving role on the test's database; return which signal ended each
    child."""
    printed = subprocess.run(
        [sys.executable, "-m", "tests.conversations.crashing", str(household.workspace.id), *conversations],
        env=serving_environment(),
        cwd=settings.ROOT,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    ).stdout
    return {conversation: int(how) for conversation, how in map(str.split, printed.splitlines())}
