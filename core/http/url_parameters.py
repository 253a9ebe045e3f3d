"""Ids and parameters of an address."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from django.http import QueryDict

from core.errors import FieldProblem, InvalidError, NotFoundError

# How many repeated or unknown names a refusal lists, and how much of each.
MAX_PROBLEMS, MAX_NAME_CHARACTERS = 20, 80


def path_id(value: object) -> UUID:
    """Return the id in a path. What is not a UUID is answered like an absent object: raises NotFoundError."""
    try:
        return UUID(str(value))
    except ValueError as error:
        raise NotFoundError() from error


def refuse_repeated(query: QueryDict, *, lists: Collection[str] = ()) -> None:
    """Refuse a query string that gives a parameter twice, when it is none of `lists`. Raises InvalidError."""
    repeated = [name for name, values in query.lists() if len(values) > 1 and name not in lists]
    if repeated:
        sentence = "Give this parameter once."
        problems = (FieldProblem(name[:MAX_NAME_CHARACTERS], "repeated", sentence) for name in repeated[:MAX_PROBLEMS])
        raise InvalidError(problems=tuple(problems))
