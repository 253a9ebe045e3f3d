"""Whether the database has everything that this code expects of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from django.db import DatabaseError, connection
from django.db.migrations import Migration
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from core.errors import UnavailableError


class UnmigratedError(UnavailableError):
    """Migrations wait, so that what is not found may be there all the same."""

    code = "unmigrated"
    title = "This server is being upgraded: its database is not ready yet. Try again in a moment."


@dataclass
class _AppliedMigrations:
    """What this process knows; its code stays the same, and a database is not migrated back."""

    is_migrated: bool = False


_seen = _AppliedMigrations()


@cache
def disk_migrations() -> Mapping[tuple[str, str], Migration]:
    """Return the migrations of this code, which stays the same; finding them takes a third of a second."""
    return MigrationLoader(None).disk_migrations


def waiting_migrations() -> int:
    """Return how many migrations wait. Raises DatabaseError."""
    if disk_migrations().keys() <= MigrationRecorder(connection).applied_migrations().keys():
        return 0
    # Not all of them have to be applied: one may stand in for others.
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
