"""Copying one row of a table many times with other values in some columns, under row security like everybody else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from uuid import UUID

from django.db import connection, models
from psycopg import sql

from workspaces.access.callers import Caller

# Each copy sorts as a minute older than the one before it.
OLDER_ID = "uuidv7(n * interval '-1 minute')"
OLDER_TIME = "now() - n * interval '1 minute'"


def copy_row(
    caller: Caller,
    row: models.Model,
    *,
    count: int,
    values: Mapping[str, str],
    ids: Mapping[str, Sequence[UUID]] | None = None,
) -> None:
    """Insert that number of copies of a row, inside an open scope; without those that a unique constraint forbids.

    `values` has an SQL expression for each column that differs. In it `n` is the number of the copy, from 1 on, `row`
    the pattern, and each name in `ids` an array of ids.
    """
    fields = [field for field in row._meta.concrete_fields if not field.generated]
    # A number that the database counts up is left to it.
    names = [str(field.column) for field in fields if not isinstance(field, models.AutoField)]
    shown = [
        sql.SQL(values[name].replace("%", "%%")) if name in values else sql.SQL("row.{}").format(sql.Identifier(name))
        for name in names
    ]
    arrays = ids or {}
    statement = sql.SQL(
        "INSERT INTO {table} ({columns}) SELECT {shown} FROM {table} AS row CROSS JOIN generate_series(1, %s) AS n "
        "{arrays} WHERE row.workspace_id = %s AND row.{key} = %s ON CONFLICT DO NOTHING"
    ).format(
        table=sql.Identifier(row._meta.db_table),
        columns=sql.SQL(", ").join(map(sql.Identifier, names)),
        shown=sql.SQL(", ").join(shown),
        arrays=sql.SQL(" ").join(
            sql.SQL("CROSS JOIN (SELECT %s::uuid[] AS {}) AS {}").format(
                sql.Identifier(name), sql.Identifier(f"given {name}")
            )
            for name in arrays
        ),
        key=sql.Identifier(str(row._meta.pk.column)),
    )
    with connection.cursor() as cursor:
        cursor.execute(statement, [count, *map(list, arrays.values()), caller.workspace_id, row.pk])


def nth(name: str, of: str = "n") -> str:
    """Return the expression for one of an array of ids, in turns."""
    return f"{name}[1 + ({of}) % cardinality({name})]"
