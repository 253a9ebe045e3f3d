"""Staff members in a workspace: entering it for a reason and leaving it, each in its audit record."""

from __future__ import annotations

from uuid import UUID

from core.errors import FieldProblem, InvalidError
from core.text.validators import refuse_invisible_characters, refuse_secret
from workspaces.access.audit import record_event
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope
from workspaces.access.selectors import access_workspace_as_staff
from workspaces.models import AuditEvent, User, Workspace

MIN_REASON_CHARACTERS = 8
MAX_REASON_CHARACTERS = 300
VISITS_SHOWN = 5


def enter_workspace(*, user: User, workspace_id: UUID, reason: str, address: str = "") -> Workspace:
    """Let a staff member into a workspace, whose audit record says so with the reason, which its owners read.

    Raises InvalidError for a reason of fewer than 8 or more than 300 characters, or with invisible ones, NotFoundError.
    """
    said = " ".join(reason.split())
    if not MIN_REASON_CHARACTERS <= len(said) <= MAX_REASON_CHARACTERS:
        detail = f"Say in {MIN_REASON_CHARACTERS} to {MAX_REASON_CHARACTERS} characters what you look for."
        raise InvalidError(
            problems=(
                FieldProblem("reason", "min_length" if len(said) < MIN_REASON_CHARACTERS else "max_length", detail),
            )
        )
    refuse_invisible_characters(said, field="reason")
    refuse_secret(said, field="reason")
    caller = access_workspace_as_staff(user=user, workspace_id=workspace_id, address=address)
    with workspace_scope(caller):
        record_event(
            caller=caller,
            action="staff.entered",
            object_type="workspace",
            object_id=workspace_id,
            details={"reason": said},
        )
        return Workspace.objects.get(id=workspace_id)


def staff_visits(caller: Caller) -> list[AuditEvent]:
    """Return the newest visits of staff to the workspace, for its owners. Raises MissingScopeError without `admin`."""
    caller.require(Right.ADMIN)
    with workspace_scope(caller):
        entered = AuditEvent.objects.of(caller).filter(action="staff.entered")
        return list(entered.order_by("-created_at", "-id")[:VISITS_SHOWN])


def leave_workspace(*, caller: Caller) -> None:
    """Note that a staff member left the workspace."""
    with workspace_scope(caller):
        record_event(caller=caller, action="staff.left", object_type="workspace", object_id=caller.workspace_id)
