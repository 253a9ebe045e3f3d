"""What the page Settings → Members shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from core.clock import utc_now
from workspaces.access.callers import Right
from workspaces.access.selectors import ConsoleContext, is_owner, workspace_invitations, workspace_members
from workspaces.models import Invitation, Membership, Role


@dataclass(frozen=True, slots=True)
class MemberRow:
    """A member, and the roles that the one who reads may give them; none where they may not change it."""

    member: Membership
    roles: Sequence[Role]
    is_self: bool


@dataclass(frozen=True, slots=True)
class InvitationRow:
    """An invitation that was not accepted yet."""

    invitation: Invitation
    is_changeable: bool
    is_link_open: bool


def member_rows(seat: ConsoleContext) -> dict[str, Any]:
    """Return the members, and for owners and admins the invitations, with what this person may do to each."""
    caller, owns = seat.caller, is_owner(seat.caller)
    governs = caller.may(Right.ADMIN)
    roles = [role for role in Role if owns or role != Role.OWNER]
    rows = [
        MemberRow(
            member, roles if governs and (owns or member.role != Role.OWNER) else (), str(member.user_id) == caller.id
        )
        for member in workspace_members(caller)
    ]
    invitations = [
        InvitationRow(one, owns or one.role != Role.OWNER, bool(one.expires_at and one.expires_at > utc_now()))
        for one in (workspace_invitations(caller) if governs else [])
    ]
    return {"members": rows, "invitations": invitations, "governs": governs, "is_owner": owns}
