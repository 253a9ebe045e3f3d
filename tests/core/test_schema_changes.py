"""A change of a table that has to wait for its lock gives way to those who use the table."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread

import psycopg
import pytest
from django.db import ProgrammingError, connection, migrations, models
from django.db.migrations.loader import MigrationLoader

from core.db import schema_changes
from core.db.schema_changes import change_table
from core.migrations import InOneMoment
from tests.serving import serving_connection

pytestmark = pytest.mark.django_db(transaction=True)

LOCKING = "ALTER TABLE node_types ALTER COLUMN description DROP DEFAULT"  # it has none
HELD_SECONDS = 1.5


@contextmanager
def used_for_long() -> Iterator[list[float]]:
    """Inside, a transaction that has read the table goes on for a while; how long others waited is in the list."""
    waits: list[float] = []
    over = Event()

    def read() -> None:
        with serving_connection() as reader:
            reader.autocommit = True
            while not over.wait(0.02):
                began = time.monotonic()
                reader.execute("SELECT count(*) FROM node_types")
                waits.append(time.monotonic() - began)

    def let_go(holder: psycopg.Connection[tuple[object, ...]]) -> None:
        time.sleep(HELD_SECONDS)
        holder.rollback()

    with serving_connection() as holder:
        holder.execute("SELECT count(*) FROM node_types")
        threads = [Thread(target=read), Thread(target=let_go, args=[holder])]
        for thread in threads:
            thread.start()
        try:
            yield waits
        finally:
            over.set()
            for thread in threads:
                thread.join()


def test_whoever_uses_the_table_waits_for_a_moment_only() -> None:
    began = time.monotonic()
    with used_for_long() as waits, connection.schema_editor(atomic=False) as editor:
        change_table(editor, LOCKING)
        taken = time.monotonic() - began

    assert taken > HELD_SECONDS - 0.5, "It did not have to wait."
    assert max(waits) < HELD_SECONDS - 0.5, "They waited as long as it did."


def test_the_last_attempt_waits_as_long_as_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema_changes, "ATTEMPTS", 1)
    monkeypatch.setattr(schema_changes, "PAUSE_SECONDS", 0.01)
    with used_for_long() as waits, connection.schema_editor(atomic=False) as editor:
        change_table(editor, LOCKING)

    assert max(waits) > 0.5


def test_a_change_is_made_whole_or_not_at_all() -> None:
    with connection.schema_editor(atomic=False) as editor, pytest.raises(ProgrammingError):
        change_table(editor, "COMMENT ON TABLE node_types IS 'changed'", "ALTER TABLE node_types DROP COLUMN absent")

    with connection.cursor() as cursor:
        cursor.execute("SELECT obj_description('node_types'::regclass), current_setting('lock_timeout')")
        comment, timeout = cursor.fetchone()
    assert comment is None
    assert timeout != schema_changes.LONGEST_WAIT


def columns() -> set[str]:
    with connection.cursor() as cursor:
        return {column.name for column in connection.introspection.get_table_description(cursor, "node_types")}


def test_columns_come_and_go_together_while_the_table_is_used() -> None:
    before = MigrationLoader(connection).project_state()
    added = [
        migrations.AddField("nodetype", name, models.CharField(max_length=9, db_default="", default=""))
        for name in ("first", "second")
    ]
    change, after = InOneMoment(*added), before.clone()
    change.state_forwards("ontology", after)
    known = columns()

    with used_for_long() as waits, connection.schema_editor(atomic=False) as editor:
        change.database_forwards("ontology", editor, before, after)
    assert columns() == known | {"first", "second"}
    assert max(waits) < HELD_SECONDS - 0.5

    with connection.schema_editor(atomic=False) as editor:
        change.database_backwards("ontology", editor, after, before)
    assert columns() == known
