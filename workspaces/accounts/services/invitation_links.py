"""Links that accept an invitation: single-use, expiring, of which only a hash is kept. They need no mail."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from core.clock import utc_now
from core.errors import ConflictError, FieldProblem, ForbiddenError, InvalidError, NotFoundError
from workspaces.access.audit import record_event
from workspaces.access.callers import ActorKind, Caller
from workspaces.access.login_throttle import hashing_place
from workspaces.access.scope import directory_scope, secret_scope, workspace_scope
from workspaces.accounts.services.invitations import invite_member
from workspaces.keys.secrets import secret_hash
from workspaces.models import Invitation, Membership, User, Workspace

LINK_DAYS = 7


class DeadLinkError(NotFoundError):
    """The link was used, withdrawn, replaced, mistyped, or has expired."""

    code = "invitation_over"
    title = (
        "This invitation was used or withdrawn, or has expired. Ask an owner or admin of the workspace for a new link."
    )


class OtherAccountError(ForbiddenError):
    """The link is for another address than that of the account."""

    code = "other_account"


class AccountExistsError(ConflictError):
    """The address of the link has an account, whose person has to sign in."""

    code = "account_exists"
    title = "An account with this address was made meanwhile. Sign in with it, then open the link again."


class NoPasswordsError(ForbiddenError):
    """Accounts are made by the organisation's sign-in alone."""

    code = "no_passwords"
    title = "Passwords are for staff here. Sign in with the service of your organisation, then open the link again."


@dataclass(frozen=True, slots=True)
class InvitationLink:
    """An invitation with the secret of its link, which exists at this moment alone."""

    invitation: Invitation
    token: str


@dataclass(frozen=True, slots=True)
class LinkOffer:
    """What the holder of a link is offered. Whether its address has an account is not in it: one who may invite could
    ask so for any address."""

    invitation: Invitation
    workspace: Workspace


def invite_by_link(*, caller: Caller, email: str, role: str) -> Membership | InvitationLink:
    """Invite an address, with a link that works for a week and replaces an earlier one of it.

    A member gets the role instead. Raises what `invite_member` raises.
    """
    token = secrets.token_urlsafe(32)
    with workspace_scope(caller):
        invited = invite_member(caller=caller, email=email, role=role)
        if isinstance(invited, Membership):
            return invited
        invited.token_hash, invited.expires_at = secret_hash(token), utc_now() + timedelta(days=LINK_DAYS)
        invited.save(update_fields=["token_hash", "expires_at"])
    return InvitationLink(invited, token)


def read_offer(token: str) -> LinkOffer:
    """Return what a link offers. Raises DeadLinkError."""
    invitation = _find_invitation(token)
    with directory_scope():  # a workspace is hidden from those who are not members of it
        workspace = Workspace.objects.live().filter(id=invitation.workspace_id).first()
    if workspace is None:
        raise DeadLinkError()
    return LinkOffer(invitation, workspace)


def accept_link(*, user: User, token: str, address: str = "") -> Membership:
    """Become a member with the role that was offered; a member keeps the role that they have.

    Raises DeadLinkError, OtherAccountError when the link is for another address.
    """
    invitation = _find_invitation(token)
    if not user.is_active or user.email != invitation.email:
        raise OtherAccountError(f"This invitation is for {invitation.email}. Sign in with that address.")
    caller = Caller(invitation.workspace_id, ActorKind.USER, str(user.id), str(user), frozenset(), address)
    with workspace_scope(caller):
        # Of two at once one takes it.
        if not Invitation.objects.of(caller).filter(id=invitation.id, token_hash=secret_hash(token)).delete()[0]:
            raise DeadLinkError()
        membership: Membership
        membership, _ = Membership.objects.get_or_create(
            workspace_id=caller.workspace_id, user=user, defaults={"role": invitation.role}
        )
        details = {"role": membership.role, "by": "link"}
        for action, kind, identity in (
            ("invitation.accepted", "invitation", invitation.id),
            ("member.added", "user", user.id),
        ):
            record_event(caller=caller, action=action, object_type=kind, object_id=identity, details=details)
    return membership


def create_account(*, token: str, name: str, password: str, address: str = "") -> User:
    """Create the account that a link is for, and make it a member.

    Its address is not confirmed: the link was given by the one who invited, not sent to it. Raises DeadLinkError,
    AccountExistsError, NoPasswordsError, InvalidError for a password that is too simple, TooManyAtOnceError,
    OverloadedError.
    """
    if settings.OIDC.is_only:
        raise NoPasswordsError()
    invitation = _find_invitation(token)
    if User.objects.filter(email=invitation.email).exists():
        raise AccountExistsError()
    user = User(email=invitation.email, name=name.strip(), is_email_confirmed=False)
    try:
        validate_password(password, user)
    except ValidationError as error:
        problems = tuple(FieldProblem("password", "weak_password", sentence) for sentence in error.messages)
        raise InvalidError(problems=problems) from error
    with hashing_place(address):
        user.set_password(password)
    try:
        with transaction.atomic():
            user.save()
            accept_link(user=user, token=token, address=address)
    except IntegrityError as error:
        raise AccountExistsError() from error
    return user


def _find_invitation(token: str) -> Invitation:
    digest = secret_hash(token)
    with secret_scope(digest):
        found: Invitation | None = Invitation.objects.filter(token_hash=digest, expires_at__gt=utc_now()).first()
    if found is None:
        raise DeadLinkError()
    return found
