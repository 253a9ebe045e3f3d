"""Changes of accounts, which belong to the installation, in the records of the workspaces that they touch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from workspaces.access.audit import record_event
from workspaces.access.callers import system_caller
from workspaces.access.scope import workspace_scope
from workspaces.access.selectors import access_workspace, access_workspace_as_staff, member_workspaces
from workspaces.models import User


def record_own_change(*, user: User, fields: Sequence[str], address: str = "", by: str = "") -> None:
    """Add `account.changed` to the record of each live workspace of a person who changed their own account; `by` says
    what let them, where it was not a session.

    Call it in the transaction of the change.
    """
    details = {"fields": sorted(fields), **({"by": by} if by else {})}
    record_own_act(user=user, action="account.changed", details=details, address=address)


def record_own_act(*, user: User, action: str, details: Mapping[str, object] | None = None, address: str = "") -> None:
    """Add what a person did with their own account to the record of each of their live workspaces.

    Call it in the transaction of the act.
    """
    for workspace in member_workspaces(user):
        caller = access_workspace(user=user, workspace_id=workspace.id, address=address)
        with workspace_scope(caller):
            record_event(
                caller=caller, action=action, object_type="user", object_id=user.id, details=dict(details or {})
            )


def record_operator_act(*, command: str, user: User, action: str) -> None:
    """Add what an operator did to an account with a command to the record of each of its live workspaces."""
    for workspace in member_workspaces(user):
        caller = system_caller(workspace.id, command)
        with workspace_scope(caller):
            record_event(caller=caller, action=action, object_type="user", object_id=user.id)


def record_account_change(*, staff: User, user: User, fields: Sequence[str], address: str = "") -> None:
    """Add `account.changed` to the record of each live workspace of `user`: which fields `staff` changed, no values.

    Call it in the transaction of the change. Raises NotFoundError when `staff` is not a staff member.
    """
    for workspace in member_workspaces(user):
        caller = access_workspace_as_staff(user=staff, workspace_id=workspace.id, address=address)
        with workspace_scope(caller):
            record_event(
                caller=caller,
                action="account.changed",
                object_type="user",
                object_id=user.id,
                details={"fields": sorted(fields)},
            )
