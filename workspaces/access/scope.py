"""The one way in: a transaction whose row-security context names a workspace, and nothing after it does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import UUID

from django.db import connection, transaction

from core.space_ids import SHARED
from workspaces.access.callers import Caller

TENANT = "rls.tenant_id"


class ScopeError(RuntimeError):
    """A scope was opened for one workspace inside the scope of another: a programming error, never a caller's."""


@contextmanager
def workspace_scope(caller: Caller, *, statement_seconds: float | None = None) -> Iterator[None]:
    """Open a transaction in which exactly the rows of the caller's workspace and readable spaces exist.

    Rows that it adds belong to the space that the caller writes into. Scopes nest; the inner one is a savepoint, and
    may be about other spaces. No statement in it runs for longer than `statement_seconds`, where these are given.
    Raises ScopeError when the outer one belongs to another workspace.
    """
    values = _values(caller)
    if statement_seconds is not None:
        values["statement_timeout"] = f"{round(statement_seconds * 1000)}ms"
    with _transaction(values):
        yield


@contextmanager
def reading_scope(caller: Caller) -> Iterator[None]:
    """Open a scope for what only reads: inside of one of the same caller it is that one, and asks nothing.

    A statement that fails in it ends the outer transaction, where a savepoint of `workspace_scope` would not.
    """
    values = _values(caller)
    if connection.in_atomic_block and values.items() <= _open_values().items():
        yield
        return
    with _transaction(values):
        yield


@contextmanager
def person_scope(user_id: UUID) -> Iterator[None]:
    """Only what a person may know before choosing a workspace: their memberships and those workspaces."""
    with _transaction({"rls.user_id": str(user_id)}):
        yield


@contextmanager
def secret_scope(secret_hash: str) -> Iterator[None]:
    """Only the key whose secret has this hash, and its workspace."""
    with _transaction({"rls.secret_hash": secret_hash}):
        yield


@contextmanager
def directory_scope() -> Iterator[None]:
    """Only the list of workspaces (`org.workspaces`), for schedules and for staff who choose one."""
    with _transaction({"rls.directory": "on"}):
        yield


def _values(caller: Caller) -> dict[str, str]:
    reach = caller.reach
    return {
        TENANT: str(caller.workspace_id),
        "rls.space": str(reach.written),
        "rls.spaces": "{" + ",".join(map(str, reach.read)) + "}",
        "rls.reads_shared": "on" if SHARED in reach.read else "off",
        "rls.every_space": "on" if reach.every else "",
    }


def scope_notes() -> dict[str, str]:
    """Return what is remembered until the open scope ends, by keys that name whose it is; setting more adds to it."""
    return _open_values()


def _open_values() -> dict[str, str]:
    """Return what the scopes that are open on this thread's connection have set."""
    return getattr(connection, "open_scope", {})


@contextmanager
def _transaction(values: dict[str, str]) -> Iterator[None]:
    is_nested = connection.in_atomic_block
    with transaction.atomic():
        if not is_nested:
            _set(values)
            with _note(values):
                yield
            return
        # What an outer scope of the same caller has set holds in here as well.
        previous = values if values.items() <= _open_values().items() else _exchange(values)
        if previous.get(TENANT, "") not in {"", values.get(TENANT, "")}:
            raise ScopeError("A workspace scope was opened inside the scope of another workspace.")
        with _note({**_open_values(), **values}):
            yield
        # SET LOCAL ends with the transaction, but outlives a released savepoint, so a nested scope puts other old
        # values back. After an error the rollback does it, and the connection would refuse the statement anyway.
        if previous != values and not connection.needs_rollback:
            _set(previous)


@contextmanager
def _note(values: dict[str, str]) -> Iterator[None]:
    """Remember with this thread's connection what is set on it."""
    outer = _open_values()
    connection.open_scope = values  # type: ignore[attr-defined]  # of ours, on Django's wrapper
    try:
        yield
    finally:
        connection.open_scope = outer  # type: ignore[attr-defined]


def _set(values: dict[str, str]) -> None:
    """Set values for this transaction."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {_changes(values)}", [*values.values()])


def _exchange(values: dict[str, str]) -> dict[str, str]:
    """Set values for this transaction; return those that they had ('' for none)."""
    olds = ", ".join(f"current_setting('{name}', true)" for name in values)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {olds}, {_changes(values)}", [*values.values()])
        row = cursor.fetchone() or ()
    return {name: old or "" for name, old in zip(values, row, strict=False)}


def _changes(values: dict[str, str]) -> str:
    return ", ".join(f"set_config('{name}', %s, true)" for name in values)  # names of this module only
