"""Lists: `{"results", "next", "previous"}` with opaque cursors, 1 to 200 items, 50 by default."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.pagination import CursorPagination
from rest_framework.request import Request
from rest_framework.serializers import CharField

from core.errors import FieldProblem, InvalidError
from core.http.fields import StrictSerializer

MOST = 200
DEFAULT = 50


class PageInput(StrictSerializer):
    """The query string of a list that cannot be narrowed."""

    limit = CharField(required=False)
    cursor = CharField(required=False)


class CursorPages(CursorPagination):
    """Keyset pages, newest first. Ids are UUID version 7, so their order is the order of creation."""

    ordering = "-pk"
    page_size = DEFAULT
    page_size_query_param = "limit"
    max_page_size = MOST

    def get_page_size(self, request: Request) -> int:
        return limit_of(request)

    def decode_cursor(self, request: Request) -> Any:
        """The cursor of the request. Raises InvalidError for one that this server did not make."""
        try:
            cursor = super().decode_cursor(request)
            if cursor and cursor.position:
                UUID(str(cursor.position))
        except (NotFound, ValueError) as error:
            problem = FieldProblem(
                "cursor", "invalid_cursor", "Follow `next` and `previous`; cursors cannot be made up."
            )
            raise InvalidError(problems=(problem,)) from error
        return cursor


class OldestFirst(CursorPages):
    """The same, from the oldest on."""

    ordering = "pk"


def limit_of(request: Request, default: int = DEFAULT) -> int:
    """The `limit` of a query string. Raises ValidationError outside 1 to 200."""
    raw = request.query_params.get("limit", str(default))
    if not (len(raw) <= 3 and raw.isascii() and raw.isdigit() and 1 <= int(raw) <= MOST):
        raise ValidationError({"limit": [f"A whole number from 1 to {MOST}."]}, code="out_of_range")
    return int(raw)


def one_page(results: list[Any]) -> dict[str, Any]:
    """A list that is complete in one answer, in the shape of all lists."""
    return {"results": results, "next": None, "previous": None}
