"""A server that a superuser has altered, and the refusal to serve on it."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.test import Client, override_settings
from psycopg import sql

from config.database_roles import grant_serving_role
from tests.serving import as_serving_role, superuser_connection

# Roles belong to the whole server, which others may be testing on.
ROLE = f"intruder_{os.getpid()}"
SERVING = f"serving_{os.getpid()}"


@contextmanager
def serving_role_apart() -> Iterator[str]:
    """The address of a serving role that no other test knows, with what migrations grant; gone afterwards."""
    address = urlsplit(settings.SERVING_URL)
    password = secrets.token_urlsafe()
    host = address.netloc.rpartition("@")[2]
    with superuser_connection() as superuser, override_settings(SERVING_ROLE=SERVING):
        superuser.execute(sql.SQL("CREATE ROLE {} LOGIN PASSWORD {}").format(sql.Identifier(SERVING), password))
        try:
            grant_serving_role(using="default")
            yield urlunsplit(address._replace(netloc=f"{SERVING}:{password}@{host}"))
        finally:
            superuser.execute(sql.SQL("DROP OWNED BY {}").format(sql.Identifier(SERVING)))
            superuser.execute(sql.SQL("DROP ROLE {}").format(sql.Identifier(SERVING)))


@contextmanager
def altered(steps: Sequence[str], undo: Sequence[str]) -> Iterator[None]:
    """A server on which a superuser has run `steps`; afterwards they are undone."""
    with superuser_connection() as superuser:
        try:
            for step in steps:
                superuser.execute(step.encode())
            yield
        finally:
            for step in undo:
                superuser.execute(step.encode())


def refused(*, named: str) -> None:
    """Neither the start nor readiness lets this pass, and both say what it is."""
    with as_serving_role():
        answer = Client().get("/readyz")
        with pytest.raises(CommandError) as stopped:
            call_command("refuse_unsafe_role")
    check: dict[str, Any] = answer.json()["checks"]["database"]
    assert (answer.status_code, check["state"]) == (503, "failing")
    assert named in check["detail"]
    assert named in str(stopped.value)


def accepted() -> None:
    """The start and readiness let this pass."""
    with as_serving_role():
        assert Client().get("/readyz").json()["checks"]["database"]["state"] == "ok"
        call_command("refuse_unsafe_role")
