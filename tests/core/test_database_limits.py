"""No statement, lock or idle transaction of a serving process lasts for ever; callers are answered what happened."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest
from django.db import OperationalError, connection

from config import settings as project
from tests.cast import Cast, RestClient
from tests.serving import serving_connection, serving_environment
from workspaces.access.scope import workspace_scope

SHOW = """
import django, json; django.setup()
from django.db import connection
from uuid import uuid4
from workspaces.access.callers import system_caller
from workspaces.access.scope import workspace_scope
names = ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout")
def shown():
    with connection.cursor() as cursor:
        values = []
        for name in names:
            cursor.execute("SHOW " + name)
            values.append(cursor.fetchone()[0])
        return values
first = shown()
with workspace_scope(system_caller(uuid4(), "limits"), statement_seconds=2):
    limited = shown()[0]
connection.close()
print(json.dumps([first, limited, shown()]))
"""


def limits_of_a_process(**changed: str) -> Any:
    environment = {**serving_environment(), "DJANGO_SETTINGS_MODULE": "config.settings", **changed}
    done = subprocess.run(
        [sys.executable, "-c", SHOW], env=environment, cwd=project.ROOT, capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("changed", "limits"),
    [
        ({"WSM_SERVES_WEB": "1"}, ["30s", "5s", "1min"]),
        ({}, ["10min", "30s", "5min"]),
        ({"WSM_SERVES_WEB": "1", "WEB_STATEMENT_SECONDS": "7", "WEB_LOCK_SECONDS": "0"}, ["7s", "0", "1min"]),
    ],
)
def test_each_kind_of_process_has_its_limits_and_a_shorter_one_lasts_for_its_transaction(
    changed: dict[str, str], limits: list[str]
) -> None:
    first, limited, again = limits_of_a_process(**changed)

    assert (first, limited, again) == (limits, "2s", limits)


@pytest.mark.django_db
def test_migrations_have_no_limits() -> None:
    with connection.cursor() as cursor:
        for name in project.WEB_LIMITS:
            cursor.execute(f"SELECT current_setting('{name}')")
            assert cursor.fetchone() == ("0",)


@pytest.mark.django_db
def test_a_statement_that_takes_too_long_is_a_problem_to_try_again(
    acme: RestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def sleep(**_: object) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL statement_timeout = '50ms'")
            cursor.execute("SELECT pg_sleep(5)")

    monkeypatch.setattr("memory.memories.services.memory_writer.remember", sleep)

    answer = acme.post("memories", {"content": "The kettle is blue."})

    assert (answer.status_code, answer.json()["code"]) == (503, "database_timeout")
    assert answer["Content-Type"] == "application/problem+json"
    assert int(answer["Retry-After"]) > 0


@pytest.mark.django_db(transaction=True)
def test_a_lock_that_another_holds_is_not_waited_for_for_ever(cast: Cast) -> None:
    acme = cast.acme.rest()
    with serving_connection() as other, connection.cursor() as cursor:
        other.execute("LOCK TABLE memories IN ACCESS EXCLUSIVE MODE")
        cursor.execute("SET lock_timeout = '100ms'; SET statement_timeout = '20s'")
        answer = acme.get("memories")
    connection.close()

    assert (answer.status_code, answer.json()["code"]) == (503, "database_timeout")
    assert acme.get("memories").status_code == 200


@pytest.mark.django_db
def test_a_layer_that_is_slow_is_left_out_as_before(cast: Cast) -> None:
    def ask() -> None:
        with workspace_scope(cast.acme.caller, statement_seconds=0.05), connection.cursor() as cursor:
            cursor.execute("SELECT pg_sleep(5)")

    with pytest.raises(OperationalError, match="statement timeout"):
        ask()
