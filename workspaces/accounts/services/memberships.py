"""Members of a workspace: admitting people, changing their roles, and removing them."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from core.errors import ConflictError, FieldProblem, ForbiddenError, InvalidError, NotFoundError
from workspaces.access.audit import record_event
from workspaces.access.callers import RIGHTS_OF_ROLE, Caller, Right
from workspaces.access.scope import workspace_scope
from workspaces.access.selectors import is_owner
from workspaces.accounts.services.space_grants import withdraw_member_grants
from workspaces.keys.services import hand_over_member_keys, revoke_member_keys
from workspaces.models import Invitation, Membership, Role, User
from workspaces.oauth.services.connected_apps import withdraw_member_apps


class OwnersOnlyError(ForbiddenError):
    """Only an owner may make, change or remove an owner."""

    code = "owners_only"
    title = "Only an owner of the workspace can make, change or remove owners. Sign in as an owner."


def add_member(*, caller: Caller, email: str, role: str) -> Membership:
    """Admit a person who already has an account without asking them, or change their role. For operators.

    Raises NotFoundError when no account has that address, and what `set_role` raises.
    """
    caller.require(Right.ADMIN)
    user = User.objects.filter(email=email.strip().lower(), is_active=True, is_email_confirmed=True).first()
    if user is None:
        raise NotFoundError(
            "No active account with that address, confirmed, is there. Add or confirm it under Users in /admin/."
        )
    return set_role(caller=caller, user=user, role=role)


def set_role(*, caller: Caller, user: User, role: str) -> Membership:
    """Make a person a member with this role, or change the role that they have.

    Raises MissingScopeError without `admin` or without a right of the role, OwnersOnlyError when the caller is not an
    owner and the role is or was one, ConflictError when the last owner would stop being one.
    """
    require_role(caller=caller, role=role)
    with workspace_scope(caller):
        owners = _hold_owners(caller)
        present = _membership(caller, user.id)
        if present and present.role == Role.OWNER and not is_owner(caller):
            raise OwnersOnlyError()
        if role != Role.OWNER:
            _keep_an_owner(owners, user.id)
        if present and role not in {present.role, Role.OWNER}:
            _withdraw_sent_invitations(caller, user.id)
        membership: Membership
        membership, _ = Membership.objects.update_or_create(
            workspace_id=caller.workspace_id, user=user, defaults={"role": role}
        )
        Invitation.objects.of(caller).filter(email=user.email).delete()
        record_event(
            caller=caller, action="member.added", object_type="user", object_id=user.id, details={"role": role}
        )
    return membership


def remove_member(*, caller: Caller, user_id: UUID, keeps_keys: bool = False) -> None:
    """Take a person's membership away, withdraw their apps, the invitations that they sent and the spaces granted.

    The API keys that they made are revoked, or with `keeps_keys` handed over to the caller's person. Raises
    MissingScopeError, NotFoundError, OwnersOnlyError when the caller is not an owner and that person is,
    ConflictError for the last owner, InvalidError when the keys cannot be handed over.
    """
    caller.require(Right.ADMIN)
    with workspace_scope(caller):
        owners = _hold_owners(caller)
        present = _membership(caller, user_id)
        if present is None:
            raise NotFoundError()
        if present.role == Role.OWNER and not is_owner(caller):
            raise OwnersOnlyError()
        _keep_an_owner(owners, user_id)
        if keeps_keys:
            hand_over_member_keys(caller=caller, user_id=user_id)
        else:
            revoke_member_keys(caller=caller, user_id=user_id)
        withdraw_member_apps(caller=caller, user_id=user_id)
        withdraw_member_grants(caller=caller, user_id=user_id)
        _withdraw_sent_invitations(caller, user_id)
        present.delete()
        record_event(caller=caller, action="member.removed", object_type="user", object_id=user_id)


def require_role(*, caller: Caller, role: str) -> None:
    """Raise unless the caller may give this role: a right can be given only by those who have it.

    Raises InvalidError for an unknown role, MissingScopeError, OwnersOnlyError.
    """
    if role not in Role.values:
        raise InvalidError(problems=(FieldProblem("role", "unknown_role", f"One of {', '.join(Role.values)}."),))
    for right in sorted({Right.ADMIN, *RIGHTS_OF_ROLE[role]}):
        caller.require(right)
    if role == Role.OWNER and not is_owner(caller):
        raise OwnersOnlyError()


def _membership(caller: Caller, user_id: UUID) -> Membership | None:
    found = Membership.objects.of(caller).select_for_update().filter(user_id=user_id)
    membership: Membership | None = found.first()
    return membership


def _withdraw_sent_invitations(caller: Caller, user_id: UUID) -> None:
    """Withdraw the invitations of a person who leaves: they are worth no more than their sender."""
    Invitation.objects.of(caller).filter(invited_by_id=user_id).delete()


def _hold_owners(caller: Caller) -> list[UUID]:
    """Return who owns the workspace, which stays so until the open scope ends.

    Their rows are locked before any other and in one order, so that two owners who change each other wait in turn.
    """
    owners = Membership.objects.of(caller).select_for_update().filter(role=Role.OWNER).order_by("id")
    return list(owners.values_list("user_id", flat=True))


def _keep_an_owner(owners: Sequence[UUID], leaving: UUID) -> None:
    if list(owners) == [leaving]:
        raise ConflictError("A workspace keeps at least one owner. Make another member an owner first.")
