"""Ids and parameters of an address."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from django.http import QueryDict

from core.errors import FieldProblem, InvalidError, NotFoundError


def path_id(value: object) -> UUID:
    """Return the id in a path. What is not a UUID is answered like an absent object: raises NotFoundError."""
    try:
        return UUID(str(value))
    except ValueError as error:
        raise NotFoundError() from error


def refuse_repeated(query: QueryDict, *, lists: Collection[str] = ()) -> None:
    """Refuse a query string that gives a parameter twice, when it is none of `lists`. Raises InvalidError."""
    said = "Give this parameter once."
    repeated = [name for name, values in query.lists() if len(values) > 1 and name not in lists]
    if repeated:
        raise InvalidError(problems=tuple(FieldProblem(name[:80], "repeated", said) for name in repeated[:20]))
