"""What an installation says about itself: `/healthz`, `/readyz`, and the command that refuses an unsafe start."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client

from core import migrating
from core.clock import utc_now
from tests.serving import as_serving_role
from workspaces.services.keys import caller_of_key
from workspaces.tasks import beat

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
        MigrationRecorder(connection).record_unapplied("workspaces", "0006_presented_key")
        assert migrating.waiting_migrations() == 1
        transaction.set_rollback(True)


def test_a_worker_that_is_silent_is_told_and_stops_nothing() -> None:
    with as_serving_role():
        assert ready()[1]["worker"]["state"] == "failing"
        beat()
        assert ready()[1]["worker"]["state"] == "ok"
        with time_machine.travel(utc_now() + timedelta(minutes=4)):
            status, checks = ready()

    assert (status, checks["worker"]["state"]) == (200, "failing")
    assert "heartbeat" in checks["worker"]["detail"]


def test_the_process_is_alive_without_asking_anybody() -> None:
    assert Client().get("/healthz").json() == {"status": "ok"}
