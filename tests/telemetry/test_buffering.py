"""Captured actions reach the database whatever it does meanwhile, and none is lost by an orderly stop."""

from __future__ import annotations

import time
from collections.abc import Sequence
from uuid import UUID, uuid4

import pytest
from django.db import DataError, OperationalError

from telemetry.actions.services.action_buffer import MAX_ERRORS, ActionBuffer
from telemetry.actions.services.action_log import NewAction
from tests.awaiting import comes_true
from tests.telemetry.acting import action

ACME, UMBRELLA = uuid4(), uuid4()


class Store:
    """Somewhere to keep actions, which can be away."""

    def __init__(self) -> None:
        self.kept: list[tuple[UUID, float]] = []
        self.is_away = False

    def __call__(self, workspace_id: UUID, actions: Sequence[NewAction]) -> None:
        if self.is_away:
            raise OperationalError("away")
        self.kept += [(workspace_id, one.latency_ms or 0) for one in actions]


def test_a_stop_loses_nothing() -> None:
    store = Store()
    buffer = ActionBuffer(store, seconds=60)
    for number in range(2_500):
        buffer.add(ACME if number % 2 else UMBRELLA, action(latency_ms=float(number)))

    buffer.close()

    assert sorted(number for _, number in store.kept) == list(range(2_500))
    assert {number % 2 == 1 for workspace, number in store.kept if workspace == ACME} == {True}


def test_actions_are_kept_soon_without_a_stop() -> None:
    store = Store()
    buffer = ActionBuffer(store, seconds=0.01)

    buffer.add(ACME, action(latency_ms=1.0))

    assert comes_true(lambda: store.kept)
    buffer.close()
    assert store.kept == [(ACME, 1.0)]


def test_while_the_database_is_away_actions_wait_and_the_oldest_give_way() -> None:
    store = Store()
    buffer = ActionBuffer(store, seconds=60, most=3)
    store.is_away = True
    for number in range(1, 5):
        buffer.add(ACME, action(latency_ms=float(number)))
    buffer.flush()
    assert store.kept == []
    store.is_away = False

    buffer.close()

    assert store.kept == [(ACME, 2.0), (ACME, 3.0), (ACME, 4.0)]


def test_the_log_says_how_many_gave_way(caplog: pytest.LogCaptureFixture) -> None:
    store = Store()
    buffer = ActionBuffer(store, seconds=60, most=3)
    for number in range(5):
        buffer.add(ACME, action(latency_ms=float(number)))

    buffer.flush()
    buffer.flush()

    assert [line.getMessage() for line in caplog.records] == ["capture_given_up actions=2"]
    buffer.close()


def test_the_log_counts_what_was_taken_out_and_found_no_place_again(caplog: pytest.LogCaptureFixture) -> None:
    is_away = True

    def keep(workspace_id: UUID, actions: Sequence[NewAction]) -> None:
        if is_away:
            for _ in range(2):  # come in meanwhile
                buffer.add(UMBRELLA, action())
            raise OperationalError("away")

    buffer = ActionBuffer(keep, seconds=60, most=3)
    for _ in range(3):
        buffer.add(ACME, action())
    buffer.flush()
    caplog.clear()
    is_away = False

    buffer.close()

    assert [line.getMessage() for line in caplog.records] == ["capture_given_up actions=2"]


def test_what_the_database_refuses_holds_up_nobody_else() -> None:
    kept: list[UUID] = []

    def keep(workspace_id: UUID, actions: Sequence[NewAction]) -> None:
        if workspace_id == ACME:
            raise DataError("too long")
        kept.extend([workspace_id] * len(actions))

    buffer = ActionBuffer(keep, seconds=60)
    for workspace_id in (UMBRELLA, ACME, UMBRELLA):
        buffer.add(workspace_id, action())

    buffer.flush()

    assert kept == [UMBRELLA, UMBRELLA]
    buffer.close()
    assert len(kept) == 2


def test_an_unexpected_error_of_one_workspace_ends_the_capture_of_no_other() -> None:
    kept: list[UUID] = []

    def keep(workspace_id: UUID, actions: Sequence[NewAction]) -> None:
        if workspace_id == ACME:
            raise AttributeError("'list' object has no attribute 'get'")
        kept.extend([workspace_id] * len(actions))

    buffer = ActionBuffer(keep, seconds=0.01)
    buffer.add(ACME, action())
    assert comes_true(lambda: buffer.errors == 1)
    buffer.add(UMBRELLA, action())

    assert comes_true(lambda: kept == [UMBRELLA])
    assert (buffer.errors, buffer.is_down) == (0, False)
    buffer.close()


def test_capture_that_only_fails_counts_as_down_and_pauses_longer_each_time() -> None:
    def keep(workspace_id: UUID, actions: Sequence[NewAction]) -> None:
        raise AttributeError("'list' object has no attribute 'get'")

    buffer = ActionBuffer(keep, seconds=60)
    for _ in range(MAX_ERRORS):
        assert not buffer.is_down
        buffer.add(ACME, action())
        buffer.flush()

    assert buffer.is_down
    buffer.close()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_thread_that_ended_is_started_again_by_the_next_action(caplog: pytest.LogCaptureFixture) -> None:
    store = Store()
    fails = iter([True])

    def keep(workspace_id: UUID, actions: Sequence[NewAction]) -> None:
        if next(fails, False):
            raise SystemExit
        store(workspace_id, actions)

    buffer = ActionBuffer(keep, seconds=0.01)
    buffer.add(ACME, action(latency_ms=1.0))
    assert comes_true(lambda: buffer.is_down)
    buffer.add(ACME, action(latency_ms=2.0))

    assert comes_true(lambda: store.kept == [(ACME, 2.0)])
    assert not buffer.is_down
    assert "capture_restarted" in caplog.text
    buffer.close()


def test_taking_an_action_costs_microseconds() -> None:
    buffer = ActionBuffer(Store(), seconds=60)
    one = action()

    started = time.thread_time()  # what it takes of a processor, whatever else is going on
    for _ in range(1_000):
        buffer.add(ACME, one)
    took = (time.thread_time() - started) / 1_000

    buffer.close()
    assert took < 0.000_2
