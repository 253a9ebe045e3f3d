"""Looking for a text in everything that the database holds, for proofs that it was never stored."""

from __future__ import annotations

from django.db import connection
from psycopg import sql

from workspaces.access.callers import system_caller
from workspaces.access.scope import directory_scope, workspace_scope
from workspaces.models import Workspace

# Texts, arrays of texts, JSON, search vectors and bytes.
COLUMNS = """
    SELECT n.nspname, c.relname, a.attname, a.atttypid = 'bytea'::regtype
      FROM pg_attribute a
      JOIN pg_class c ON c.oid = a.attrelid
      JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped
       AND n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\\_%'
       AND a.atttypid::regtype::text ~ '^(text|character|json|bytea|tsvector)'
"""
HOLDS = "SELECT {name} WHERE EXISTS (SELECT FROM {table} WHERE strpos(lower({value}), lower({marker})) > 0)"


def columns_containing(marker: str) -> list[str]:
    """Every column (`schema.table.column`) in which a row of any workspace holds the marker, in any letter case."""
    with directory_scope():
        workspaces = list(Workspace.objects.values_list("id", flat=True))
    found = _visible_columns_containing(marker)
    for workspace_id in workspaces:
        with workspace_scope(system_caller(workspace_id, "search")):
            found |= _visible_columns_containing(marker)
    return sorted(found)


def _visible_columns_containing(marker: str) -> set[str]:
    with connection.cursor() as cursor:
        cursor.execute(COLUMNS)
        searches = [_search(marker, *column) for column in cursor.fetchall()]
        cursor.execute(sql.SQL(" UNION ALL ").join(searches))
        return {name for (name,) in cursor.fetchall()}


def _search(marker: str, schema: str, table: str, column: str, is_bytes: bool) -> sql.Composed:
    text = "encode({}, 'escape')" if is_bytes else "{}::text"
    return sql.SQL(HOLDS).format(
        name=sql.Literal(f"{schema}.{table}.{column}"),
        table=sql.Identifier(schema, table),
        value=sql.SQL(text).format(sql.Identifier(column)),
        marker=sql.Literal(marker),
    )
