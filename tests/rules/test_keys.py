"""Keys and unique constraints of a workspace's tables begin with the workspace, so that no two workspaces meet in one.

Two that do would tell each other what they hold, could not have the same ids, and could not lie on different servers.
"""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from django.db import connection

from config.row_security_policies import SCHEMAS

pytestmark = pytest.mark.django_db

# The directory: rows that are asked for before a workspace is known, by a person, a secret or a program.
BY_PERSON = "a person's own rows are read before they choose a workspace"
BY_SECRET = "a secret is presented before it is known to which workspace it belongs"
EXCEPTIONS = {
    "org.memberships (id)": BY_PERSON,
    "org.connected_apps (id)": BY_PERSON,
    "org.space_grants (id)": BY_PERSON,
    "org.connected_apps (user_id, client_id)": "a program is let into one workspace of a person",
    "org.api_keys (id)": BY_SECRET,
    "org.api_keys (secret_hash)": BY_SECRET,
}

# Unique indexes too, which a constraint with a condition is. A primary key is a unique index as well.
UNIQUE_INDEXES = """
    SELECT n.nspname || '.' || c.relname,
           ARRAY(SELECT pg_get_indexdef(i.indexrelid, place, true) FROM generate_series(1, i.indnkeyatts) place)
      FROM pg_index i
      JOIN pg_class c ON c.oid = i.indrelid
      JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE i.indisunique AND n.nspname = ANY(%s) AND c.relkind IN ('r', 'p')
       AND EXISTS (SELECT FROM pg_attribute a
                    WHERE a.attrelid = c.oid AND a.attname = 'workspace_id' AND NOT a.attisdropped)
"""
PRIMARY_KEYS = """
    SELECT n.nspname || '.' || c.relname
      FROM pg_class c
      JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = ANY(%s) AND c.relkind IN ('r', 'p')
       AND EXISTS (SELECT FROM pg_attribute a
                    WHERE a.attrelid = c.oid AND a.attname = 'workspace_id' AND NOT a.attisdropped)
       AND EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.oid AND i.indisprimary)
"""
REFERENCES = """
    SELECT n.nspname || '.' || c.relname, k.conname,
           ARRAY(SELECT a.attname::text FROM unnest(k.conkey) WITH ORDINALITY AS key (number, place)
                   JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = key.number ORDER BY key.place),
           f.relname
      FROM pg_constraint k
      JOIN pg_class c ON c.oid = k.conrelid
      JOIN pg_class f ON f.oid = k.confrelid
      JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE k.contype = 'f' AND n.nspname = ANY(%s)
       AND EXISTS (SELECT FROM pg_attribute a
                    WHERE a.attrelid = f.oid AND a.attname = 'workspace_id' AND NOT a.attisdropped)
"""


@dataclass(frozen=True)
class UniqueIndex:
    """The columns of a primary key, unique constraint or unique index."""

    table: str
    columns: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.table} ({', '.join(self.columns)})"


@pytest.fixture
def unique_indexes(db: None) -> list[UniqueIndex]:
    with connection.cursor() as cursor:
        cursor.execute(UNIQUE_INDEXES, [list(SCHEMAS)])
        return [UniqueIndex(table, tuple(columns)) for table, columns in cursor.fetchall()]


def test_every_key_and_unique_constraint_begins_with_the_workspace(unique_indexes: list[UniqueIndex]) -> None:
    assert len(unique_indexes) > 60
    others = {str(index) for index in unique_indexes if index.columns[0] != "workspace_id"}

    assert others - EXCEPTIONS.keys() == set()
    assert EXCEPTIONS.keys() - others == set(), "These exceptions are none any more."


def test_every_table_of_a_workspace_has_a_primary_key(unique_indexes: list[UniqueIndex]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(PRIMARY_KEYS, [list(SCHEMAS)])
        keyed = {table for (table,) in cursor.fetchall()}

    assert len(keyed) > 30
    assert {index.table for index in unique_indexes} == keyed


def test_every_reference_to_a_table_of_a_workspace_begins_with_the_workspace() -> None:
    """As rows are found past row security when a reference is checked, it must not lead into another workspace."""
    with connection.cursor() as cursor:
        cursor.execute(REFERENCES, [list(SCHEMAS)])
        found = cursor.fetchall()

    assert len(found) > 10
    assert [row for row in found if row[2][0] != "workspace_id"] == []
