"""Closing the statements of episodes, and opening them again, one caller at a time.

Runs inside the caller's open `workspace_scope`, in the transaction of the write.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any
from uuid import UUID

from core.db.locks import wait_for_lock
from memory.models import EpisodeStatement
from workspaces.access.callers import Caller

STATEMENTS_LOCK = "statements"


def lock_statements(caller: Caller) -> None:
    """Let those that close or open statements of the written space wait for each other.

    Each changes several rows, in an order of its own.
    """
    wait_for_lock(STATEMENTS_LOCK, caller.workspace_id, caller.reach.written)


def close_statements(caller: Caller, ids: Collection[UUID], **closed: Any) -> None:
    """Close those of the statements that are open, as `closed` says by what, since when, and when that was learned."""
    lock_statements(caller)
    EpisodeStatement.objects.of(caller).filter(pk__in=ids, superseded_at=None).update(**closed)


def open_statements(caller: Caller, ids: Collection[UUID]) -> None:
    """Take the closing of statements back."""
    if not ids:
        return
    lock_statements(caller)
    cleared = {"superseded_by": None, "superseded_by_memory": None, "superseded_at": None, "valid_to": None}
    EpisodeStatement.objects.of(caller).filter(pk__in=ids).update(**cleared)
