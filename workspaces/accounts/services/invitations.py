"""Invitations: an offer of a role by e-mail address, which the person accepts or declines after signing in.

Whether an address has an account is never looked up, so that neither the answer nor its time tells.
"""

from __future__ import annotations

from uuid import UUID

from core.errors import NotFoundError
from workspaces.access.audit import record_event
from workspaces.access.callers import ActorKind, Caller, Right
from workspaces.access.scope import person_scope, workspace_scope
from workspaces.access.selectors import acting_person, is_owner
from workspaces.accounts.services.memberships import OwnersOnlyError, remove_member, require_role, set_role
from workspaces.models import Invitation, Membership, Role, User


def invite_member(*, caller: Caller, email: str, role: str) -> Membership | Invitation:
    """Invite an address to the workspace, or change the role of the member or invitation that has it.

    Raises MissingScopeError without `admin` or without a right of the role, OwnersOnlyError, ConflictError when the
    last owner would stop being one.
    """
    require_role(caller=caller, role=role)
    address = email.strip().lower()
    with workspace_scope(caller):
        member = _find_member(caller, address)
        if member is not None:
            return set_role(caller=caller, user=member.user, role=role)
        _refuse_for_owner(caller, _find_invitation(caller, address))
        invitation: Invitation
        invitation, _ = Invitation.objects.update_or_create(
            workspace_id=caller.workspace_id,
            email=address,
            defaults={"role": role, "invited_by_id": acting_person(caller)},
        )
        record_event(
            caller=caller,
            action="member.invited",
            object_type="invitation",
            object_id=invitation.id,
            details={"role": role},
        )
    return invitation


def withdraw_invitation(*, caller: Caller, email: str, keeps_keys: bool = False) -> None:
    """Withdraw the invitation of an address; when its person is a member by now, remove them.

    Raises MissingScopeError, NotFoundError, and what `remove_member` raises.
    """
    caller.require(Right.ADMIN)
    address = email.strip().lower()
    with workspace_scope(caller):
        member = _find_member(caller, address)
        if member is not None:
            remove_member(caller=caller, user_id=member.user_id, keeps_keys=keeps_keys)
            return
        invitation = _find_invitation(caller, address)
        if invitation is None:
            raise NotFoundError()
        _refuse_for_owner(caller, invitation)
        record_event(caller=caller, action="invitation.withdrawn", object_type="invitation", object_id=invitation.id)
        invitation.delete()


def accept_invitation(*, user: User, invitation_id: UUID, address: str = "") -> Membership:
    """Become a member with the role that was offered; a member keeps the role that they have.

    Raises NotFoundError when the invitation is not addressed to this person, or was withdrawn.
    """
    caller = _caller_of_invitation(user=user, invitation_id=invitation_id, address=address)
    with workspace_scope(caller):
        invitation = _take_invitation(invitation_id)
        membership: Membership
        membership, _ = Membership.objects.get_or_create(
            workspace_id=caller.workspace_id, user=user, defaults={"role": invitation.role}
        )
        details = {"role": membership.role}
        for action, kind, identity in (
            ("invitation.accepted", "invitation", invitation_id),
            ("member.added", "user", user.id),
        ):
            record_event(caller=caller, action=action, object_type=kind, object_id=identity, details=details)
    return membership


def decline_invitation(*, user: User, invitation_id: UUID, address: str = "") -> None:
    """Turn an invitation down; it can be sent again. Raises NotFoundError like `accept_invitation`."""
    caller = _caller_of_invitation(user=user, invitation_id=invitation_id, address=address)
    with workspace_scope(caller):
        _take_invitation(invitation_id)
        record_event(caller=caller, action="invitation.declined", object_type="invitation", object_id=invitation_id)


def _caller_of_invitation(*, user: User, invitation_id: UUID, address: str) -> Caller:
    """Return the caller that an invited person is in the workspace before they are a member: one without rights."""
    with person_scope(user.id):
        found = Invitation.objects.filter(id=invitation_id, email=user.email).first()
    if found is None or not (user.is_active and user.is_email_confirmed):
        raise NotFoundError()
    return Caller(found.workspace_id, ActorKind.USER, str(user.id), str(user), frozenset(), address)


def _take_invitation(invitation_id: UUID) -> Invitation:
    """Take the invitation away, so that of two answers at once one counts. Raises NotFoundError for the other."""
    invitation: Invitation | None = Invitation.objects.select_for_update().filter(id=invitation_id).first()
    if invitation is None:
        raise NotFoundError()
    Invitation.objects.filter(id=invitation_id).delete()
    return invitation


def _find_member(caller: Caller, email: str) -> Membership | None:
    members = Membership.objects.of(caller).filter(user__email=email)
    member: Membership | None = members.select_related("user").first()
    return member


def _find_invitation(caller: Caller, email: str) -> Invitation | None:
    invitations = Invitation.objects.of(caller).select_for_update().filter(email=email)
    invitation: Invitation | None = invitations.first()
    return invitation


def _refuse_for_owner(caller: Caller, invitation: Invitation | None) -> None:
    if invitation is not None and invitation.role == Role.OWNER and not is_owner(caller):
        raise OwnersOnlyError()
