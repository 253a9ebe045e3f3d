"""Adding to the append-only audit record. It holds names and ids, never what a user stored."""

from __future__ import annotations

from typing import Any

from workspaces.access.callers import Caller
from workspaces.models import AuditEvent


def record_event(
    *, caller: Caller, action: str, object_type: str = "", object_id: object = "", details: dict[str, Any] | None = None
) -> None:
    """Add one event inside the caller's open scope, so that it commits or vanishes with the change it describes."""
    AuditEvent.objects.create(
        workspace_id=caller.workspace_id,
        actor_kind=caller.kind,
        actor_id=caller.id,
        actor_label=caller.label,
        action=action,
        object_type=object_type,
        object_id=str(object_id),
        address=caller.address,
        details=details or {},
    )
