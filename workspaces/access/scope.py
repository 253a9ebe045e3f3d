"""The one way in: a transaction whose row-security context names a workspace, and nothing after it does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from django.db import connection, transaction

from core.spaces import SHARED
from workspaces.access.callers import Caller


class ScopeError(RuntimeError):
    """A scope was opened for one workspace inside the scope of another: a programming error, never a caller's."""


@contextmanager
def workspace_scope(caller: Caller) -> Iterator[None]:
    """Open a transaction in which exactly the rows of the caller's workspace and readable spaces exist.

    Rows that it adds belong to the space that the caller writes into. Scopes nest; the inner one is a savepoint, and
    may be about other spaces. Raises ScopeError when the outer one belongs to another workspace.
    """
    reach = caller.reach
    with _transaction(
        {
            "tenant_id": str(caller.workspace_id),
            "space": str(reach.written),
            "spaces": "{" + ",".join(map(str, reach.read)) + "}",
            "reads_shared": "on" if SHARED in reach.read else "off",
            "every_space": "on" if reach.every else "",
        }
    ):
        yield


@contextmanager
def person_scope(user_id: UUID) -> Iterator[None]:
    """Only what a person may know before choosing a workspace: their memberships and those workspaces."""
    with _transaction({"user_id": str(user_id)}):
        yield


@contextmanager
def directory_scope() -> Iterator[None]:
    """Only the list of workspaces (`org.workspaces`), for schedules and for staff who choose one."""
    with _transaction({"directory": "on"}):
        yield


@contextmanager
def _transaction(values: dict[str, str]) -> Iterator[None]:
    is_nested = connection.in_atomic_block
    with transaction.atomic():
        previous = _exchange(values)
        if previous.get("tenant_id", "") not in {"", values.get("tenant_id", "")}:
            raise ScopeError("A workspace scope was opened inside the scope of another workspace.")
        yield
        # SET LOCAL ends with the transaction, but outlives a released savepoint, so a nested scope puts other old
        # values back. After an error the rollback does it, and the connection would refuse the statement anyway.
        if is_nested and previous != values:
            _exchange(previous)


def _exchange(values: dict[str, str]) -> dict[str, str]:
    """Set values for this transaction; return those that they had ('' for none)."""
    settings = [(f"rls.{name}", value) for name, value in values.items()]
    olds = ", ".join(["current_setting(%s, true)"] * len(settings))
    news = ", ".join(["set_config(%s, %s, true)"] * len(settings))
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT {olds}, {news}",  # of placeholders only
            [*(name for name, _ in settings), *(part for setting in settings for part in setting)],
        )
        row = cursor.fetchone() or ()
    return {name: old or "" for name, old in zip(values, row, strict=False)}
