"""Staff members in a workspace: entering and leaving it, each in its audit record."""

from __future__ import annotations

from uuid import UUID

from workspaces.access.audit import record_event
from workspaces.access.callers import Caller
from workspaces.access.scope import workspace_scope
from workspaces.access.selectors import access_workspace_as_staff
from workspaces.models import User, Workspace


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
