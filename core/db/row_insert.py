"""Inserting a row by a statement that is made once for its model, where `save` would build it each time."""

from __future__ import annotations

from functools import cache
from typing import Any

from django.db import connection
from django.db.models import Field, Model
from django.db.models.expressions import DatabaseDefault


def insert_row(row: Model) -> None:
    """Insert a new row of plain values. The database fills in what it has no value for; nothing is read back, no signal
    is sent, and no field sets itself (`auto_now`)."""
    fields = row._meta.concrete_fields
    given = tuple(field for field in fields if not isinstance(getattr(row, field.attname), DatabaseDefault))
    values = [field.get_db_prep_save(getattr(row, field.attname), connection) for field in given]
    with connection.cursor() as cursor:
        cursor.execute(_statement(type(row), given), values)


@cache
def _statement(model: type[Model], fields: tuple[Field[Any, Any], ...]) -> str:
    quote = connection.ops.quote_name
    columns = ", ".join(quote(str(field.column)) for field in fields)
    values = ", ".join(["%s"] * len(fields))
    return f"INSERT INTO {quote(model._meta.db_table)} ({columns}) VALUES ({values})"  # noqa: S608  # names of a model
