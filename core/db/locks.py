"""Advisory locks of PostgreSQL that a transaction holds until it ends. `docs/why/exclusion.md` says when to use one."""

from __future__ import annotations

from uuid import UUID

from django.db import connection, transaction


def wait_for_lock(name: str, workspace_id: UUID, *ids: UUID) -> None:
    """Wait until no other transaction holds the lock of this name, then hold it until this transaction ends."""
    _take_lock("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", name, workspace_id, *ids)


def try_lock(name: str, workspace_id: UUID, *ids: UUID) -> bool:
    """Hold the lock until this transaction ends; return False at once where another transaction holds it."""
    return bool(_take_lock("SELECT pg_try_advisory_xact_lock(hashtextextended(%s, 0))", name, workspace_id, *ids))


def _take_lock(statement: str, name: str, *ids: UUID) -> object:
    if not connection.in_atomic_block:  # the lock would end with the statement that took it
        raise transaction.TransactionManagementError("An advisory lock needs an open transaction.")
    with connection.cursor() as cursor:
        cursor.execute(statement, [" ".join([name, *map(str, ids)])])
        row = cursor.fetchone()
    return row[0] if row else None
