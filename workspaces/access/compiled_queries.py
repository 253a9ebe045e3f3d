"""Queries about a caller's rows that Django builds once, and not at each call: building takes longer than running."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from types import SimpleNamespace
from typing import Any
from uuid import NAMESPACE_OID, UUID, uuid5

from django.core.exceptions import EmptyResultSet
from django.db.models import QuerySet

from core.db.compiled_query import CompiledQuery, compile_query
from workspaces.access.callers import ActorKind, Caller
from workspaces.access.spaces import Reach

# One for each query, number of spaces and kinds of values.
KEPT = 1_000
Build = Callable[[Caller, Any], QuerySet[Any, Any]]


class CallerQuery:
    """A query that is compiled at its first call and kept for others, which differ in their values alone.

    `build` returns a `values_list` for a caller and an object with the values by name. Of all of these it is given
    placeholders, so that it must not decide by them nor ask the database. A value is an id, a time, a text, or a list
    of ids, and never None; a number is part of the query. Nothing that was read is kept.
    """

    def __init__(self, build: Build) -> None:
        self._build = build

    def rows(self, caller: Caller, **values: Any) -> list[tuple[Any, ...]]:
        """Return the rows that the caller reads, for the open scope."""
        try:
            compiled, given = self.bind(caller, **values)
        except EmptyResultSet:  # of a caller that reads no space
            return []
        return compiled.rows(given)

    def bind(self, caller: Caller, **values: Any) -> tuple[CompiledQuery, Mapping[str, Any]]:
        """Return the query and its values, for a statement that it is a part of. Raises EmptyResultSet where Django
        knows that it has no rows."""
        reach = caller.reach
        shape = tuple((name, value if isinstance(value, int) else type(value)) for name, value in values.items())
        given = {"caller_workspace": caller.workspace_id, "caller_written": reach.written}
        given |= {f"caller_space_{place}": space for place, space in enumerate(reach.read)}
        given |= {name: value for name, value in values.items() if not isinstance(value, int)}
        return _compile(self._build, reach.every, len(reach.read), shape), given


@lru_cache(maxsize=KEPT)
def _compile(build: Build, is_of_every: bool, spaces: int, shape: tuple[tuple[str, Any], ...]) -> CompiledQuery:
    read = {f"caller_space_{place}": _id(f"space {place}") for place in range(spaces)}
    workspace, written = _id("workspace"), _id("written")
    reach = Reach(written, tuple(read.values()), is_of_every, name=None)
    caller = Caller(workspace, ActorKind.SYSTEM, "", "", frozenset(), reach=reach)
    values = {name: _placeholder(name, kind, place) for place, (name, kind) in enumerate(shape)}
    named = {name: value for name, value in values.items() if not isinstance(value, int)}
    placeholders = {"caller_workspace": workspace, "caller_written": written, **read, **named}
    compiled = compile_query(build(caller, SimpleNamespace(**values)), placeholders)
    if lost := [name for name in named if f"%({name})s" not in compiled.text]:
        raise ValueError(f"A compiled query has no such values: {', '.join(lost)}.")  # Django made others of them
    return compiled


def _placeholder(name: str, kind: Any, place: int) -> Any:
    if kind is UUID:
        return _id(name)
    if kind is datetime:
        return datetime(1, 1, 2, tzinfo=UTC) + timedelta(microseconds=place)
    if kind is str:
        return f"stands for {name}"
    if kind is list:
        return [_id(name)]
    if isinstance(kind, int):
        return kind
    raise TypeError(f"A compiled query takes no {kind}.")


def _id(name: str) -> UUID:
    return uuid5(NAMESPACE_OID, f"stands for {name}")
