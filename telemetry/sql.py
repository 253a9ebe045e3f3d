"""Execution of the named statements of each feature's `queries.sql` inside an open scope."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from django.db import connection

from core.db.named_statements import named_statements
from workspaces.access.callers import Caller

FEATURES = ("actions", "sequences", "patterns")
SQL = {
    name: statement
    for feature in FEATURES
    for name, statement in named_statements(Path(__file__).parent / feature / "queries.sql").items()
}


def rows(name: str, caller: Caller, **parameters: Any) -> list[tuple[Any, ...]]:
    """Return what a statement answers, for the caller's workspace."""
    with connection.cursor() as cursor:
        cursor.execute(SQL[name], _bind(caller, parameters))
        return list(cursor.fetchall())


def run(name: str, caller: Caller, **parameters: Any) -> int:
    """Return how many rows a statement changed."""
    with connection.cursor() as cursor:
        cursor.execute(SQL[name], _bind(caller, parameters))
        return int(cursor.rowcount)


def _bind(caller: Caller, parameters: Mapping[str, Any]) -> dict[str, Any]:
    arrays = {name: array_text(value) for name, value in parameters.items() if isinstance(value, list)}
    return {"workspace": caller.workspace_id, **parameters, **arrays}


def array_text(values: Iterable[object]) -> str:
    """Return the text of a PostgreSQL array, for a parameter that the statement casts to its type.

    psycopg looks at every element with regular expressions, which took a third of the sequencer's time.
    """
    return f"{{{','.join(['NULL' if value is None else _quote(str(value)) for value in values])}}}"


def _quote(text: str) -> str:
    if '"' in text or "\\" in text:
        text = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'
