"""The one way in: a transaction whose row-security context names a workspace, and nothing after it does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from django.db import connection, transaction

from workspaces.access.callers import Caller


class ScopeError(RuntimeError):
    """A scope was opened for one workspace inside the scope of another: a programming error, never a caller's."""


@contextmanager
def workspace_scope(caller: Caller) -> Iterator[None]:
    """Open a transaction in which exactly the rows of the caller's workspace exist.

    Scopes nest; the inner one is a savepoint. Raises ScopeError when the outer one belongs to another workspace.
    """
    with _transaction("tenant_id", str(caller.workspace_id), exclusive=True):
        yield


@contextmanager
def person_scope(user_id: UUID) -> Iterator[None]:
    """Only what a person may know before choosing a workspace: their memberships and those workspaces."""
    with _transaction("user_id", str(user_id)):
        yield


@contextmanager
def directory_scope() -> Iterator[None]:
    """Only the list of workspaces (`org.workspaces`), for schedules and for staff who choose one."""
    with _transaction("directory", "on"):
        yield


@contextmanager
def _transaction(name: str, value: str, *, exclusive: bool = False) -> Iterator[None]:
    is_nested = connection.in_atomic_block
    with transaction.atomic():
        previous = _exchange(name, value)
        if exclusive and previous not in {"", value}:
            raise ScopeError("A workspace scope was opened inside the scope of another workspace.")
        yield
        # SET LOCAL ends with the transaction, but outlives a released savepoint, so a nested scope puts another old
        # value back. After an error the rollback does it, and the connection would refuse the statement anyway.
        if is_nested and previous != value:
            _exchange(name, previous)


def _exchange(name: str, value: str) -> str:
    """Set one value for this transaction; answer the one that it had ('' for none)."""
    setting = f"rls.{name}"
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting(%s, true), set_config(%s, %s, true)", [setting, setting, value])
        row = cursor.fetchone()
    return (row[0] if row else None) or ""
