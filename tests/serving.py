"""The serving role, which the web and the worker are and pytest (the owner of the tables) is not."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg
from django.conf import settings
from django.db import connection, connections
from psycopg.conninfo import make_conninfo

from core.db.base import DatabaseWrapper
from core.env import DatabaseAddress

# A row for each other session of this database; a role may end its own ones only.
END_OTHERS = """
    SELECT CASE WHEN usename = current_user THEN pg_terminate_backend(pid) END
    FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
"""
SECONDS_TO_LEAVE = 60


@contextmanager
def as_serving_role(*, pool: Mapping[str, Any] | None = None) -> Iterator[None]:
    """Inside, Django's connection of this thread belongs to the serving role; with `pool`, it is borrowed from one."""
    owner = connections["default"]
    role = DatabaseAddress.parse(settings.SERVING_URL, variable="DATABASE_URL")
    options = {**owner.settings_dict["OPTIONS"], **({"pool": pool} if pool else {})}
    serving = {**owner.settings_dict, "USER": role.user, "PASSWORD": role.password, "OPTIONS": options}
    serving["CONN_HEALTH_CHECKS"] = not pool  # as config.settings says
    connections["default"] = DatabaseWrapper(serving, "default")
    try:
        yield
    finally:
        connections["default"].close()
        connections["default"] = owner


def serving_environment() -> dict[str, str]:
    """The environment of a process of its own that is the serving role on the test's database."""
    address = urlsplit(settings.SERVING_URL)
    url = urlunsplit(address._replace(path=f"/{connections['default'].settings_dict['NAME']}"))
    return {**os.environ, "DATABASE_URL": url, "REDIS_URL": settings.REDIS_URL}


def serving_connection() -> psycopg.Connection[tuple[Any, ...]]:
    """A plain connection of the serving role, without any of our code around it."""
    role = DatabaseAddress.parse(settings.SERVING_URL, variable="DATABASE_URL")
    where = connections["default"].settings_dict
    return psycopg.connect(
        make_conninfo(
            dbname=where["NAME"],
            host=where["HOST"],
            port=where["PORT"],
            user=role.user,
            password=role.password,
            options=where["OPTIONS"]["options"],
        )
    )


def superuser_connection() -> psycopg.Connection[tuple[Any, ...]]:
    """A connection to the test's database as the superuser of the embedded PostgreSQL, each statement for itself."""
    where = connections["default"].settings_dict
    return psycopg.connect(
        make_conninfo(
            dbname=where["NAME"],
            host=where["HOST"],
            port=where["PORT"],
            user="postgres",
            password=(settings.HOME / "postgres_password").read_text().strip(),
            options=where["OPTIONS"]["options"],
        ),
        autocommit=True,
    )


def close_pool(pool: Mapping[str, Any]) -> None:
    """Close what `as_serving_role` has opened for this pool."""
    with as_serving_role(pool=pool):
        connections["default"].close_pool()  # type: ignore[attr-defined]  # PostgreSQL's wrapper has it


def end_other_sessions() -> None:
    """Close what threads and killed processes have left open on the test's database, and wait until all are gone.

    A vacuum of PostgreSQL's own is waited for.
    """
    with serving_connection() as serving:
        serving.execute(END_OTHERS)
    until = time.monotonic() + SECONDS_TO_LEAVE
    with connection.cursor() as owner:
        owner.execute(END_OTHERS)
        while owner.fetchall() and time.monotonic() < until:
            time.sleep(0.1)
            owner.execute(END_OTHERS)
