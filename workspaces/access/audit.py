"""Adding to the append-only audit record. It holds names and ids, never what a user stored."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from workspaces.access.callers import Caller
from workspaces.access.scope import workspace_scope
from workspaces.access.selectors import access_workspace_as_staff
from workspaces.models import AuditEvent, User, Workspace


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


def enter_workspace(*, user: User, workspace_id: UUID, address: str = "") -> Workspace:
    """Let a staff member into a workspace, whose audit record says so. Raises NotFoundError."""
    caller = access_workspace_as_staff(user=user, workspace_id=workspace_id, address=address)
    with workspace_scope(caller):
        record_event(caller=caller, action="staff.entered", object_type="workspace", object_id=workspace_id)
        return Workspace.objects.get(id=workspace_id)


def leave_workspace(*, caller: Caller) -> None:
    """Note that a staff member left the workspace."""
    with workspace_scope(caller):
        record_event(caller=caller, action="staff.left", object_type="workspace", object_id=caller.workspace_id)
