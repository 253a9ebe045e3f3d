"""Connections of a pool whose server has gone away while they waited there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import OperationalError as DatabaseUnreachable
from django.db import connection
from psycopg import Connection, OperationalError
from psycopg_pool import ConnectionPool

from core.db import base
from tests.serving import as_serving_role, close_pool, serving_connection


@contextmanager
def lent_from_a_pool(*, size: int = 1, timeout: float = 30) -> Iterator[None]:
    pool = {"min_size": size, "max_size": size, "timeout": timeout}
    try:
        with as_serving_role(pool=pool):
            yield
    finally:
        close_pool(pool)


def backend() -> int:
    """The server's process behind the connection that Django lends out just now."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return int(cursor.fetchone()[0])


@pytest.mark.django_db(transaction=True)
def test_a_connection_that_the_server_has_ended_is_not_lent_out() -> None:
    with lent_from_a_pool(size=2):
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


@pytest.mark.django_db(transaction=True)
def test_a_connection_that_rested_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """What stands between may have forgotten it, which nothing tells before something is sent."""
    monkeypatch.setattr(base, "REST_SECONDS", 0.0)
    check, answers = ConnectionPool.check_connection, iter([OperationalError("reset by peer")])

    def asked(lent: Connection) -> None:
        if error := next(answers, None):
            raise error
        check(lent)

    with lent_from_a_pool():
        here = backend()
        connection.close()
        monkeypatch.setattr(ConnectionPool, "check_connection", asked)

        assert backend() != here


@pytest.mark.django_db(transaction=True)
def test_where_no_connection_reaches_its_server_waiting_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(lent: Connection) -> None:
        raise OperationalError("server closed the connection")

    with lent_from_a_pool(timeout=0.5):
        monkeypatch.setattr(base, "REST_SECONDS", 0.0)
        monkeypatch.setattr(ConnectionPool, "check_connection", refused)
        with pytest.raises(DatabaseUnreachable):
            backend()
        monkeypatch.undo()


@pytest.mark.django_db(transaction=True)
def test_a_connection_with_unread_news_is_still_lent_out() -> None:
    with lent_from_a_pool():
        with connection.cursor() as cursor:
            cursor.execute("LISTEN news")
        here = backend()
        connection.close()
        with serving_connection() as serving:
            serving.execute("NOTIFY news")

        assert backend() == here
