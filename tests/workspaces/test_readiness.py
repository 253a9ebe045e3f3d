"""What an installation says about itself: `/healthz`, `/readyz`, and the command that refuses an unsafe start."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client

from config import health
from core.clock import utc_now
from core.db import pending_migrations as migrating
from telemetry.actions.services.action_buffer import MAX_ERRORS
from telemetry.actions.services.capture import buffer
from tests.serving import as_serving_role
from workspaces.access.tasks import beat
from workspaces.access.worker_heartbeats import LATE_AFTER, record_heartbeat
from workspaces.keys.services import caller_of_key

pytestmark = pytest.mark.django_db(transaction=True)


def ready() -> tuple[int, dict[str, Any]]:
    answer = Client().get("/readyz")
    return answer.status_code, answer.json()["checks"]


@contextmanager
def a_table_without_a_policy() -> Iterator[None]:
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE app.bare (workspace_id uuid)")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("DROP TABLE app.bare")


def test_the_serving_role_is_ready_and_may_start() -> None:
    with as_serving_role():
        status, checks = ready()
        call_command("refuse_unsafe_role")

    assert (status, checks["database"]["state"], checks["migrations"]["state"]) == (200, "ok", "ok")
    assert all(check["ms"] >= 0 for check in checks.values())


def test_a_role_that_owns_the_tables_is_not_ready_and_may_not_start() -> None:
    status, checks = ready()

    assert (status, checks["database"]["state"]) == (503, "failing")
    assert "owns tables" in checks["database"]["detail"]
    with pytest.raises(CommandError, match="owns tables"):
        call_command("refuse_unsafe_role")


def test_a_database_that_only_reads_is_not_ready() -> None:
    with as_serving_role():
        with connection.cursor() as cursor:
            cursor.execute("SET default_transaction_read_only = on")
        status, checks = ready()

    assert (status, checks["database"]["state"]) == (503, "failing")
    assert checks["database"]["detail"].startswith("PostgreSQL only reads")


def test_a_bare_table_is_named_and_stops_the_start() -> None:
    with a_table_without_a_policy(), as_serving_role():
        status, checks = ready()
        with pytest.raises(CommandError, match=r"app\.bare"):
            call_command("refuse_unsafe_role")

    assert (status, checks["database"]["state"]) == (503, "failing")
    assert "app.bare" in checks["database"]["detail"]


def test_while_migrations_wait_no_key_is_called_invalid(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(migrating, "_seen", SimpleNamespace(is_migrated=False))
    monkeypatch.setattr(migrating, "waiting_migrations", iter([1, 0]).__next__)
    unknown = {"Authorization": f"Bearer oxa_live_{'x' * 43}"}

    answers = [Client().get("/v1/workspaces", headers=unknown) for _ in range(3)]

    assert [answer.status_code for answer in answers] == [503, 401, 401]
    assert answers[0].json()["code"] == "unmigrated"


def test_a_key_that_the_database_cannot_look_up_yet_is_not_called_invalid(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(migrating, "_seen", SimpleNamespace(is_migrated=False))
    monkeypatch.setattr(migrating, "waiting_migrations", lambda: 1)
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("DROP FUNCTION org.presented_key(text)")
        with pytest.raises(migrating.UnmigratedError):
            caller_of_key(secret=f"oxa_live_{'x' * 43}")
        transaction.set_rollback(True)


def test_a_migration_that_waits_is_counted() -> None:
    with transaction.atomic():
        assert migrating.waiting_migrations() == 0
        [newest] = MigrationLoader(connection).graph.leaf_nodes("ontology")
        MigrationRecorder(connection).record_unapplied(*newest)
        assert migrating.waiting_migrations() == 1
        transaction.set_rollback(True)


def test_a_worker_that_is_silent_is_told_and_stops_nothing() -> None:
    with as_serving_role():
        assert ready()[1]["worker"]["state"] == "failing"
        beat()
        assert ready()[1]["worker"]["state"] == "ok"
        with time_machine.travel(utc_now() + LATE_AFTER + timedelta(minutes=1)):
            status, checks = ready()

    assert (status, checks["worker"]["state"]) == (200, "failing")
    assert "heartbeat" in checks["worker"]["detail"]


def test_capture_that_is_down_is_told_and_stops_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    with as_serving_role():
        assert ready()[1]["capture"]["state"] == "ok"
        monkeypatch.setattr(buffer, "_errors", MAX_ERRORS)
        status, checks = ready()

    assert (status, checks["capture"]["state"]) == (200, "failing")
    assert "capture_lost" in checks["capture"]["detail"]


STRANGERS: list[tuple[dict[str, str], dict[str, object]]] = [
    ({"REMOTE_ADDR": "203.0.113.9"}, {}),
    ({"HTTP_X_FORWARDED_FOR": "127.0.0.1"}, {}),  # a proxy on this machine, of which nobody told us
    ({"HTTP_X_REAL_IP": "127.0.0.1"}, {}),
    ({}, {"PUBLIC_URL": "https://memory.example"}),  # the same, and it says nothing
    ({"HTTP_X_FORWARDED_FOR": "127.0.0.1, 203.0.113.9"}, {"TRUST_PROXY": True}),
    ({"HTTP_X_FORWARDED_FOR": "junk"}, {"TRUST_PROXY": True}),
    ({"REMOTE_ADDR": ""}, {}),
]


@pytest.mark.parametrize(("request_of", "changed"), STRANGERS)
def test_strangers_see_states_and_no_names(
    request_of: dict[str, str], changed: dict[str, object], settings: Any
) -> None:
    for name, value in changed.items():
        setattr(settings, name, value)

    answer = Client().get("/readyz", **request_of)  # type: ignore[arg-type]

    assert answer.status_code == 503  # the role of the tests owns the tables
    assert answer.json()["checks"]["database"]["state"] == "failing"
    assert all(set(check) == {"state", "ms"} for check in answer.json()["checks"].values())


def test_the_operator_behind_a_trusted_proxy_sees_the_details(settings: Any) -> None:
    settings.TRUST_PROXY, settings.PUBLIC_URL = True, "https://memory.example"

    for forwarded in ({}, {"HTTP_X_FORWARDED_FOR": "::1"}):
        answer = Client().get("/readyz", **forwarded)  # type: ignore[arg-type]
        assert "owns tables" in answer.json()["checks"]["database"]["detail"]


def test_strangers_who_ask_often_cost_one_check(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def count_check() -> health.Finding:
        asked.append("once")
        return health.Finding("table app.memories")

    monkeypatch.setattr(health, "SECONDS_KEPT", 60.0)
    monkeypatch.setattr(health, "_recent", health._Recent())
    for name in health.CHECKS:
        monkeypatch.setitem(health.CHECKS, name, count_check)

    with ThreadPoolExecutor(8) as strangers:
        answers = list(strangers.map(lambda _: Client().get("/readyz", REMOTE_ADDR="203.0.113.9"), range(40)))

    assert {answer.status_code for answer in answers} == {503}
    assert len(asked) == len(health.CHECKS)
    assert not any(b"app.memories" in answer.content for answer in answers)


def test_of_several_workers_the_late_ones_are_counted_and_forgotten_after_an_hour() -> None:
    with as_serving_role():
        for group in ("north:1", "north:2", "south:1"):
            record_heartbeat(group)
        with time_machine.travel(utc_now() + timedelta(minutes=4)):
            record_heartbeat("south:1")
            some = ready()[1]["worker"]
        with time_machine.travel(utc_now() + timedelta(minutes=8)):
            none = ready()[1]["worker"]
        with time_machine.travel(utc_now() + timedelta(minutes=62)):
            record_heartbeat("south:1")
            after = ready()[1]["worker"]

    assert (some["state"], some["detail"].split(".")[0]) == ("ok", "2 of 3 workers had no heartbeat for 3 minutes")
    assert (none["state"], after["state"]) == ("failing", "ok")
    assert "detail" not in after


def test_the_process_is_alive_without_asking_anybody() -> None:
    assert Client().get("/healthz").json() == {"status": "ok"}
