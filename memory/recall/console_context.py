"""What confidence is worth in a workspace, for the page of its memory settings."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from memory.recall.selectors import workspace_calibrations
from memory.recall.view_models import calibration_rows
from workspaces.access.callers import Right
from workspaces.access.selectors import ConsoleContext


def calibrations(request: HttpRequest) -> dict[str, Any]:
    """Read them when the page that shows them is rendered, so that others cost nothing.

    They count citations of every space, so that those who see the list of all spaces see them.
    """
    seat: ConsoleContext | None = getattr(request, "seat", None)
    if seat is None or not seat.caller.may(Right.ADMIN):
        return {}
    return {"calibrations": SimpleLazyObject(lambda: calibration_rows(workspace_calibrations(seat.caller)))}
