"""Reading the audit record of a workspace, for its owners."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime, time
from typing import Any

from django.db.models import Q, QuerySet

from core.errors import ForbiddenError
from workspaces.access.callers import Caller
from workspaces.access.scope import workspace_scope
from workspaces.access.selectors import is_owner
from workspaces.models import AuditEvent

ROWS_AT_ONCE = 2_000


class OwnersReadError(ForbiddenError):
    """The page is about everybody in the workspace, and for its owners."""

    code = "owners_read"
    title = "Only owners of the workspace see its activity. Ask an owner."


def require_owner(caller: Caller) -> None:
    """Raise OwnersReadError unless an owner acts in person."""
    if not is_owner(caller):
        raise OwnersReadError()


def workspace_activity(caller: Caller, narrow: Mapping[str, Any]) -> QuerySet[AuditEvent]:
    """Return the events that fit, the latest first, for an open scope; `narrow` is what `ActivityFilter` returns."""
    found = AuditEvent.objects.of(caller)
    if who := narrow.get("who"):
        found = found.filter(actor_label__icontains=who)
    if what := narrow.get("what"):
        found = found.filter(action__startswith=what)
    if thing := narrow.get("object"):
        found = found.filter(Q(object_type=thing) | Q(object_id=thing))
    if address := narrow.get("address"):
        found = found.filter(address=address)
    if since := narrow.get("since"):
        found = found.filter(created_at__gte=_midnight(since))
    if until := narrow.get("until"):
        found = found.filter(created_at__lte=datetime.combine(until, time.max, tzinfo=UTC))
    return found.order_by("-pk")


def iterate_activity(caller: Caller, narrow: Mapping[str, Any]) -> Iterator[AuditEvent]:
    """Yield the events that fit, the latest first; no transaction is open while the reader takes its time."""
    last = None
    while True:
        with workspace_scope(caller):
            rows = workspace_activity(caller, narrow)
            page = list((rows.filter(pk__lt=last) if last else rows)[:ROWS_AT_ONCE])
        yield from page
        if len(page) < ROWS_AT_ONCE:
            return
        last = page[-1].pk


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time.min, tzinfo=UTC)
