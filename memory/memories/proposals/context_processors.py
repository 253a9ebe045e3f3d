"""How many proposals wait, for the rail of each page."""

from __future__ import annotations

from typing import Any

from django.db import Error
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from core.errors import ProductError
from memory.memories.proposals.selectors import count_pending
from workspaces.access.selectors import ConsoleContext

MAX_COUNTED = 99


def review(request: HttpRequest) -> dict[str, Any]:
    """Count when the rail is rendered, so that fragments cost nothing."""
    seat: ConsoleContext | None = getattr(request, "seat", None)
    if seat is None:
        return {}
    return {"review_count": SimpleLazyObject(lambda: _count(seat)), "review_most": MAX_COUNTED}


def _count(seat: ConsoleContext) -> int:
    try:
        return count_pending(seat.caller, most=MAX_COUNTED)
    except (Error, ProductError):  # the page of an error has a rail as well
        return 0
