"""Lists: `{"results", "next", "previous"}` with opaque cursors, 1 to 200 items, 50 by default."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from typing import Annotated, Any, ClassVar, TypeVar
from uuid import UUID

from pydantic import BeforeValidator, WithJsonSchema
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.pagination import CursorPagination
from rest_framework.request import Request
from rest_framework.utils.urls import replace_query_param

from core.errors import FieldProblem, InvalidError
from core.http.field_types import refuse
from core.http.schemas import QuerySchema

MAX_LIMIT = 200
DEFAULT_LIMIT = 50
OUT_OF_RANGE = f"A whole number from 1 to {MAX_LIMIT}."
CURSOR = "Out of `next` or `previous`; it cannot be made up."
INVALID_CURSOR = FieldProblem("cursor", "invalid_cursor", "Follow `next` and `previous`; cursors cannot be made up.")


def _read_limit(value: object) -> int:
    text = str(value)
    if not _is_limit(text):
        refuse("out_of_range", OUT_OF_RANGE)
    return int(text)


def _is_limit(text: str) -> bool:
    return len(text) <= 3 and text.isascii() and text.isdigit() and 1 <= int(text) <= MAX_LIMIT


class PageQuery(QuerySchema):
    """The query string of a list; `limit` and `cursor` belong to the pages."""

    never_empty: ClassVar[frozenset[str]] = frozenset({"limit", "cursor"})

    limit: Annotated[
        int,
        BeforeValidator(_read_limit),
        WithJsonSchema({"type": "integer", "minimum": 1, "maximum": MAX_LIMIT, "default": DEFAULT_LIMIT}),
    ] = DEFAULT_LIMIT
    cursor: Annotated[str | None, WithJsonSchema({"type": "string", "description": CURSOR})] = None

    def filter_values(self) -> dict[str, Any]:
        """Return what the list is narrowed to."""
        return {name: value for name, value in self.given().items() if name not in PageQuery.model_fields}


class CursorPages(CursorPagination):
    """Keyset pages, newest first. Ids are UUID version 7, so their order is the order of creation."""

    ordering: str | tuple[str, ...] = "-pk"
    page_size = DEFAULT_LIMIT
    page_size_query_param = "limit"
    max_page_size = MAX_LIMIT

    def get_page_size(self, request: Request) -> int:
        return read_limit(request, self.page_size)

    def decode_cursor(self, request: Request) -> Any:
        """Return the cursor of the request. Raises InvalidError for one that this server did not make."""
        try:
            cursor = super().decode_cursor(request)
            if cursor and cursor.position:
                self.check_position(str(cursor.position))
        except (NotFound, ValueError) as error:
            raise InvalidError(problems=(INVALID_CURSOR,)) from error
        return cursor

    def check_position(self, position: str) -> None:
        """Raise ValueError for a text that cannot be a value of what the pages are ordered by."""
        UUID(position)


def read_limit(request: Request, default: int = DEFAULT_LIMIT) -> int:
    """Return the `limit` of a query string. Raises ValidationError outside 1 to 200."""
    raw = request.query_params.get("limit", str(default))
    if not _is_limit(raw):
        raise ValidationError({"limit": [OUT_OF_RANGE]}, code="out_of_range")
    return int(raw)


Item = TypeVar("Item")
Key = tuple[Any, ...]


def paginate(
    request: Request, items: Sequence[Item], *, key: Callable[[Item], Key], page_size: int = DEFAULT_LIMIT
) -> dict[str, Any]:
    """Return a page of a list that was read whole, in the order of `key`: a tuple of JSON scalars, unique among the
    items.

    The cursor holds the key of the item next to the page, so that no item is skipped or repeated when others come and
    go. Raises InvalidError for a cursor that this server did not make, ValidationError for a `limit` outside 1 to 200.
    """
    limit, ordered = read_limit(request, page_size), sorted(items, key=key)
    first = 0
    if "cursor" in request.query_params and ordered:
        is_back, bound = _decode_cursor(request.query_params["cursor"], like=key(ordered[0]))
        found = bisect_left(ordered, bound, key=key) if is_back else bisect_right(ordered, bound, key=key)
        first = max(found - limit, 0) if is_back else found
    page, after = ordered[first : first + limit], first + limit < len(ordered)
    return {
        "results": page,
        "next": _address(request, False, key(page[-1])) if page and after else None,
        "previous": _address(request, True, key(page[0])) if page and first else None,
    }


def _address(request: Request, is_back: bool, bound: Key) -> str:
    cursor = urlsafe_b64encode(json.dumps([is_back, *bound]).encode()).decode()
    return replace_query_param(request.build_absolute_uri(), "cursor", cursor)


def _decode_cursor(cursor: str, *, like: Key) -> tuple[bool, Key]:
    try:
        is_back, *bound = json.loads(urlsafe_b64decode(cursor))
        if [type(one) for one in (is_back, *bound)] != [bool, *(type(one) for one in like)]:
            raise ValueError(cursor)
    except (ValueError, TypeError, RecursionError) as error:
        raise InvalidError(problems=(INVALID_CURSOR,)) from error
    return is_back, tuple(bound)


def one_page(results: list[Any]) -> dict[str, Any]:
    """Return a list that is complete in one answer, in the shape of all lists."""
    return {"results": results, "next": None, "previous": None}
