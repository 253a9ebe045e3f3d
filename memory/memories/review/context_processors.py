"""How many items wait in the review queue, for the rail of each page."""

from __future__ import annotations

from typing import Any

from django.db import Error
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from core.errors import ProductError
from memory.memories.review.selectors import count_at_most
from workspaces.access.callers import Caller
from workspaces.access.selectors import ConsoleContext

MAX_COUNTED = 99


def review(request: HttpRequest) -> dict[str, Any]:
    """Count when the rail is rendered, so that fragments cost nothing."""
    seat: ConsoleContext | None = getattr(request, "seat", None)
    return {} if seat is None else {"review_count": SimpleLazyObject(lambda: _count_safely(seat.caller))}


def count_in_rail(caller: Caller) -> str:
    """Return the number of items as the rail shows it, empty for none."""
    return format_count(count_at_most(caller, MAX_COUNTED))


def format_count(number: int) -> str:
    """Return a number for the rail, empty for none."""
    return f"{MAX_COUNTED}+" if number > MAX_COUNTED else str(number or "")


def _count_safely(caller: Caller) -> str:
    try:
        return count_in_rail(caller)
    except (Error, ProductError):  # the page of an error has a rail as well
        return ""
