"""What settings say of a workspace, which workspaces have one on, and what retention did last."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from datetime import date, datetime, timedelta
from typing import Any
from uuid import UUID

from core.errors import NotFoundError
from workspaces.access.callers import Caller, system_caller
from workspaces.access.scope import workspace_scope
from workspaces.access.selectors import all_workspace_ids, current_workspace
from workspaces.models import AuditEvent
from workspaces.settings.retention import retention_settings
from workspaces.settings.workspace_settings import Configured, is_memory_enabled, memory_settings, model_settings

MESSAGES_EXPIRED = "messages.expired"
# Of one night: long ones have an event for each of their tasks.
ONE_NIGHT = timedelta(hours=12)


@dataclass(frozen=True, slots=True)
class RetentionReport:
    """What was deleted in the last night in which there was something: messages from before a day, counted."""

    at: datetime
    before: date
    messages: int
    extracted: int
    unread: int


def last_retention_report(caller: Caller) -> RetentionReport | None:
    """Return what retention deleted last, None where it has deleted nothing so far."""
    with workspace_scope(caller):
        events = AuditEvent.objects.of(caller).filter(action=MESSAGES_EXPIRED).order_by("-created_at")
        last = events.first()
        if last is None:
            return None
        counted: Counter[str] = Counter()
        for details in events.filter(created_at__gt=last.created_at - ONE_NIGHT).values_list("details", flat=True):
            counted.update({name: details[name] for name in ("messages", "extracted", "unread")})
    return RetentionReport(last.created_at, date.fromisoformat(last.details["before"]), **counted)


def workspaces_with_memory() -> list[UUID]:
    """Return the workspaces that have memory on, for schedules that then enter them one by one."""
    return [identity for identity in all_workspace_ids() if _is_enabled(identity)]


def _is_enabled(workspace_id: UUID) -> bool:
    try:
        return is_memory_enabled(current_workspace(system_caller(workspace_id, "settings")))
    except NotFoundError:  # deleted since the list was read; the others must not wait for that
        return False


def settings_json(workspace: Configured) -> dict[str, Any]:
    """Return the shape of `GET /v1/workspaces/{ws}/settings`."""
    return {
        "memory": asdict(memory_settings(workspace)),
        "models": asdict(model_settings(workspace)),
        "retention": asdict(retention_settings(workspace)),
    }
