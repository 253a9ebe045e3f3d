"""Pages in the order of time, for what did not come in the order of its ids: imported rows, conversations in use."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast
from uuid import UUID

from django.db.models import Model, Q
from rest_framework.request import Request
from rest_framework.utils.urls import replace_query_param

from core.errors import InvalidError
from core.http.pagination import INVALID_CURSOR, CursorPages, read_limit


@dataclass(frozen=True, slots=True)
class Place:
    """Where a page ends: the time and id of the row next to it, and whether the page lies before that row."""

    is_back: bool
    at: datetime
    id: UUID

    @classmethod
    def read(cls, cursor: str) -> Place:
        """Raises InvalidError for a cursor that this server did not make."""
        try:
            is_back, at, row = json.loads(urlsafe_b64decode(cursor))
            moment = datetime.fromisoformat(at)
            if not isinstance(is_back, bool) or moment.tzinfo is None:
                raise ValueError(cursor)
            return cls(is_back, moment, UUID(row))
        except (ValueError, TypeError, AttributeError, RecursionError) as error:
            raise InvalidError(problems=(INVALID_CURSOR,)) from error

    def __str__(self) -> str:
        return urlsafe_b64encode(json.dumps([self.is_back, self.at.isoformat(), str(self.id)]).encode()).decode()


class TimePages(CursorPages):
    """Keyset pages by (time, id), the newest first. `time` leads from a row to its time, which is never null."""

    def __init__(self, time: str = "created_at", *, is_oldest_first: bool = False) -> None:
        self.time = time
        self.is_oldest_first = is_oldest_first
        self._next: str | None = None
        self._previous: str | None = None

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any]:
        limit, cursor = read_limit(request, self.page_size), request.query_params.get("cursor")
        place = Place.read(cursor) if cursor is not None else None
        is_back = place is not None and place.is_back
        is_rising = self.is_oldest_first != is_back
        found = queryset.filter(self._beyond(place, is_rising=is_rising)) if place else queryset
        sign = "" if is_rising else "-"
        rows = list(found.order_by(f"{sign}{self.time}", f"{sign}pk")[: limit + 1])
        has_more, rows = len(rows) > limit, rows[:limit]
        if is_back:
            rows.reverse()
        self._next = self._address(request, rows[-1:], is_back=False) if is_back or has_more else None
        self._previous = self._address(request, rows[:1], is_back=True) if place and (has_more or not is_back) else None
        return rows

    def get_next_link(self) -> str | None:
        return self._next

    def get_previous_link(self) -> str | None:
        return self._previous

    def _beyond(self, place: Place, *, is_rising: bool) -> Q:
        side = "gt" if is_rising else "lt"
        # The first condition says nothing new, but lets PostgreSQL begin in the index at the place.
        return Q(**{f"{self.time}__{side}e": place.at}) & (
            Q(**{f"{self.time}__{side}": place.at}) | Q(**{f"pk__{side}": place.id})
        )

    def _address(self, request: Request, rows: list[Model], *, is_back: bool) -> str | None:
        if not rows:
            return None
        at: Any = rows[0]
        for name in self.time.split("__"):
            at = getattr(at, name)
        place = Place(is_back, cast(datetime, at), cast(UUID, rows[0].pk))
        return replace_query_param(request.build_absolute_uri(), "cursor", str(place))
