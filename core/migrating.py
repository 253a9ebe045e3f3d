"""Whether the database has everything that this code expects of it."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

from core.errors import UnavailableError


class UnmigratedError(UnavailableError):
    """Migrations wait, so that what is not found may be there all the same."""

    code = "unmigrated"
    title = "This server is being upgraded: its database is not ready yet. Try again in a moment."


@dataclass
class _Seen:
    """What this process knows; its code stays the same, and a database is not migrated back."""

    is_migrated: bool = False


_seen = _Seen()


def waiting_migrations() -> int:
    """How many migrations wait. Raises DatabaseError."""
    executor = MigrationExecutor(connection)
    return len(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def refuse_unmigrated() -> None:
    """Raise UnmigratedError while migrations wait. For those who are about to say that something is not there."""
    if not _seen.is_migrated:
        try:
            _seen.is_migrated = not waiting_migrations()
        except DatabaseError as error:
            raise UnavailableError() from error
        if not _seen.is_migrated:
            raise UnmigratedError()
