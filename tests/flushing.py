"""Emptying the database after a test that commits, in a tenth of the time that Django's flush takes.

Django truncates every table and then announces migrations, which writes content types, permissions, schedules and
grants again. Here rows are deleted by a superuser, past row security and foreign keys, and what migrations wrote stays
unless the test changed it. It waits for writing transactions, as TRUNCATE does, and gives way to one that holds a
table which it waits for while it waits for one that is held here.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import psycopg
from django.conf import settings
from django.db import connection
from django.test import TransactionTestCase
from psycopg import sql

from tests.serving import superuser_connection

# What migrations fill.
KEPT = ("django_content_type", "auth_permission", "django_q_schedule")
ATTEMPTS = 5
DIGEST = "SELECT md5(string_agg(t::text, ' ' ORDER BY t::text)) FROM {} t"

_as_migrated: dict[str, list[Any]] = {}


def remember_what_is_kept() -> None:
    """Call it when a database is as its migrations have left it."""
    if _has_superuser():
        with superuser_connection() as superuser:
            _as_migrated[superuser.info.dbname] = _digests(superuser)


def quicker(flush: Callable[[TransactionTestCase], None]) -> Callable[[TransactionTestCase], None]:
    """Django's own way of emptying the database, which is taken only where the test changed what is kept."""

    def empty(case: TransactionTestCase) -> None:
        if case.serialized_rollback or case.available_apps or not _has_superuser() or not _is_emptied():
            flush(case)
            remember_what_is_kept()

    return empty


def empty_database() -> None:
    """For rows that several tests have shared, after the last of them."""
    vars(TransactionTestCase)["_fixture_teardown"](TransactionTestCase())


def _is_emptied() -> bool:
    for _ in range(ATTEMPTS - 1):
        try:
            return _is_emptied_at_once()
        except psycopg.errors.DeadlockDetected:
            continue
    return _is_emptied_at_once()


def _is_emptied_at_once() -> bool:
    with superuser_connection() as superuser, superuser.transaction():
        if _digests(superuser) != _as_migrated.get(superuser.info.dbname):
            return False
        tables = [sql.Identifier(name) for name in _tables() if name not in KEPT]
        superuser.execute(sql.SQL("LOCK TABLE {}").format(sql.SQL(", ").join(tables)))
        superuser.execute("SET LOCAL session_replication_role = replica")
        superuser.execute(sql.SQL("; ").join(sql.SQL("DELETE FROM {}").format(table) for table in tables))
    return True


def _digests(superuser: psycopg.Connection[tuple[Any, ...]]) -> list[Any]:
    statements = (sql.SQL(DIGEST).format(sql.Identifier(name)) for name in KEPT)
    return [superuser.execute(statement).fetchone() for statement in statements]


@cache
def _tables() -> list[str]:
    """What Django's flush would truncate."""
    return connection.introspection.django_table_names(only_existing=True, include_views=False)


def _has_superuser() -> bool:
    """Whether the server is one of ours."""
    return (settings.HOME / "postgres_password").exists()
