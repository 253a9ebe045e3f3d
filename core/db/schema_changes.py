"""Changes of tables that hold up those who use them for a moment only, also while they wait for their locks."""

from __future__ import annotations

import time
from collections.abc import Callable

import psycopg.errors
from django.db import OperationalError, transaction
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

# Each session that uses a table waits behind a statement that waits for its lock. PostgreSQL ends a vacuum of its own
# for it, but only after `deadlock_timeout`, a second.
LONGEST_WAIT = "300ms"
ATTEMPTS = 20
PAUSE_SECONDS = 0.5


def change_table(schema_editor: BaseDatabaseSchemaEditor, *statements: str) -> None:
    """Execute statements that take no time once they have their locks, in one transaction: none sees a part.

    Where a lock is not to be had, give way to those who wait, and try again. The last attempt waits as long as it
    takes, and so does one inside a transaction.
    """

    def work() -> None:
        for statement in statements:
            schema_editor.execute(statement)

    with_short_waits(schema_editor, work)


def with_short_waits(schema_editor: BaseDatabaseSchemaEditor, work: Callable[[], None]) -> None:
    """Do the same with any work on tables."""
    if schema_editor.connection.in_atomic_block or schema_editor.collect_sql:
        work()
        return
    for _ in range(ATTEMPTS):
        try:
            _work_at_once(schema_editor, work, f"SET LOCAL lock_timeout = '{LONGEST_WAIT}'")
        except OperationalError as error:
            if not isinstance(error.__cause__, psycopg.errors.LockNotAvailable):
                raise
            time.sleep(PAUSE_SECONDS)
        else:
            return
    _work_at_once(schema_editor, work)


def _work_at_once(schema_editor: BaseDatabaseSchemaEditor, work: Callable[[], None], *before: str) -> None:
    with transaction.atomic(schema_editor.connection.alias):
        for statement in before:
            schema_editor.execute(statement)
        work()
