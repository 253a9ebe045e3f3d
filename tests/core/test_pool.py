"""Connections of a pool whose server has gone away while they waited there."""

from __future__ import annotations

import pytest
from django.db import connection
from psycopg import Connection, OperationalError
from psycopg_pool import ConnectionPool

from core.db import base
from tests.serving import as_serving_role, close_pool, serving_connection

POOL = {"min_size": 2, "max_size": 2, "timeout": 30}


def backend() -> int:
    """The server's process behind the connection that Django lends out just now."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return int(cursor.fetchone()[0])


@pytest.mark.django_db(transaction=True)
def test_a_connection_that_the_server_has_ended_is_not_lent_out() -> None:
    with as_serving_role(pool=POOL):
        before = set()
        for _ in range(4):
            before.add(backend())
            connection.close()  # back to the pool
        with serving_connection() as serving:
            ended = serving.execute(
                "SELECT bool_and(pg_terminate_backend(pid, 10000)) FROM unnest(%s) pid", [[*before]]
            )
            assert ended.fetchone() == (True,)

        after = {backend()}
        connection.close()
        after.add(backend())

        assert not before & after
    close_pool(POOL)


@pytest.mark.django_db(transaction=True)
def test_a_connection_that_rested_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """What stands between may have forgotten it, which nothing tells before something is sent."""
    monkeypatch.setattr(base, "REST_SECONDS", 0.0)
    check, answers = ConnectionPool.check_connection, iter([OperationalError("reset by peer")])

    def asked(lent: Connection) -> None:
        if error := next(answers, None):
            raise error
        check(lent)

    with as_serving_role(pool=POOL):
        here = backend()
        connection.close()
        monkeypatch.setattr(ConnectionPool, "check_connection", asked)

        assert backend() != here
    close_pool(POOL)


@pytest.mark.django_db(transaction=True)
def test_a_connection_with_unread_news_is_still_lent_out() -> None:
    with as_serving_role(pool=POOL | {"min_size": 1, "max_size": 1}):
        with connection.cursor() as cursor:
            cursor.execute("LISTEN news")
        here = backend()
        connection.close()
        with serving_connection() as serving:
            serving.execute("NOTIFY news")

        assert backend() == here
    close_pool(POOL | {"min_size": 1, "max_size": 1})
