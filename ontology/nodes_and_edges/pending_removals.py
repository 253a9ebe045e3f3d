"""Deleted connections whose rows are still there: what readers leave out until the background has removed it."""

from __future__ import annotations

from uuid import UUID

from django.db import connection

from workspaces.access.callers import Caller
from workspaces.access.scope import reading_scope, scope_notes

MARK = "connections in removal"


def connections_in_removal(caller: Caller) -> list[UUID]:
    """Return the deleted connections whose slices are still there: nothing of them is read any more.

    Asked once in a scope. There are hardly ever any, and then the statements of readers are what they were.
    """
    with reading_scope(caller):
        notes = scope_notes()
        key = f"{MARK} {caller.cache_partition} {caller.reach.every}"
        if key not in notes:
            notes[key] = " ".join(_query_ids(caller))
        return [UUID(identity) for identity in notes[key].split()]


def forget_connections_in_removal() -> None:
    """Let the open scope ask again: a connection was deleted in it."""
    notes = scope_notes()
    for key in [key for key in notes if key.startswith(MARK)]:
        del notes[key]


def _query_ids(caller: Caller) -> list[str]:
    # Row security leaves the spaces that the caller reads. The model would be imported by what it imports.
    statement = "SELECT id::text FROM connections WHERE workspace_id = %s AND is_deleted AND removed_at IS NULL"
    with connection.cursor() as cursor:
        cursor.execute(statement, [caller.workspace_id])
        return [identity for (identity,) in cursor.fetchall()]
