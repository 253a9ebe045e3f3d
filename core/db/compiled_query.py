"""Queries of the ORM that are compiled once and run with other values each time."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import QuerySet


@dataclass(frozen=True, slots=True)
class CompiledQuery:
    """A query as SQL with named parameters, the values that are the same at each call, and by their places the columns
    that Django converts, each with its converters and its expression."""

    text: str
    constants: Mapping[str, Any]
    converters: Mapping[int, tuple[Sequence[Any], Any]]

    def rows(self, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        """Return the rows for these values, as `values_list` returns them."""
        with connection.cursor() as cursor:
            cursor.execute(self.text, self.parameters(values))
            found = cursor.fetchall()
        return [*map(self._convert, found)] if self.converters else list(found)

    def parameters(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return what the text is executed with. Ids in a list become the text of an array, which is quicker."""
        lists = {name: _array(value) for name, value in values.items() if isinstance(value, list)}
        return {**self.constants, **values, **lists}

    def _convert(self, row: Sequence[Any]) -> tuple[Any, ...]:
        values = list(row)
        for place, (converters, expression) in self.converters.items():
            for convert in converters:
                values[place] = convert(values[place], expression, connection)
        return tuple(values)


def compile_query(rows: QuerySet[Any, Any], placeholders: Mapping[str, Any]) -> CompiledQuery:
    """Return a `values_list` as SQL in which placeholders are parameters by their names.

    Each placeholder is unlike every other value of the query. One in a list, which is asked for with `__in`, stands for
    any number of ids.
    """
    names = {value[0] if isinstance(value, list) else value: name for name, value in placeholders.items()}
    kinds = tuple(map(type, names))
    compiler = rows.query.get_compiler(rows.db)
    text, values = compiler.as_sql()
    placed = [names.get(value) if isinstance(value, kinds) else None for value in values]
    constants = {f"constant_{place}": value for place, value in enumerate(values) if placed[place] is None}
    parameters = [f"%({name or f'constant_{place}'})s" for place, name in enumerate(placed)]
    bound = text.replace("%%", "%%%%") % tuple(parameters)
    for name in (name for name, value in placeholders.items() if isinstance(value, list)):
        bound = re.sub(rf"IN \(%\({name}\)s\)", f"= ANY(%({name})s)", bound)
    return CompiledQuery(bound, constants, compiler.get_converters([column for column, _, _ in compiler.select]))


def _array(ids: Sequence[UUID]) -> str:
    return f"{{{','.join([each.hex for each in ids])}}}"
