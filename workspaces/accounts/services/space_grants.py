"""Granting custom spaces to members, and withdrawing them."""

from __future__ import annotations

from uuid import UUID

from core.errors import FieldProblem, InvalidError, NotFoundError
from workspaces.access.audit import record_event
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope
from workspaces.access.spaces import parse_custom_space
from workspaces.models import Membership, SpaceGrant


def grant_space(*, caller: Caller, user_id: UUID, space: str) -> SpaceGrant:
    """Let a member open a custom space; doing it again changes nothing. The space may come into being later.

    Raises MissingScopeError without `admin`, InvalidError for a space that is not a custom one or a person who is not a
    member, SpaceNotAllowedError outside of the caller's binding.
    """
    caller.require(Right.ADMIN)
    name = parse_custom_space(space)
    caller.binding.require(name)
    with workspace_scope(caller):
        # The membership is locked, so that a person who is removed at this moment keeps no grant.
        if not Membership.objects.of(caller).select_for_update().filter(user_id=user_id).exists():
            raise InvalidError(problems=(FieldProblem("member", "invalid", "Choose a member."),))
        grant, is_new = SpaceGrant.objects.get_or_create(
            workspace_id=caller.workspace_id, user_id=user_id, space=str(name)
        )
        if is_new:
            _record(caller, "space.granted", grant)
    found: SpaceGrant = grant
    return found


def withdraw_grant(*, caller: Caller, grant_id: UUID) -> SpaceGrant:
    """Take a custom space away from a member: from the next request on they cannot open it.

    Raises MissingScopeError without `admin`, NotFoundError.
    """
    caller.require(Right.ADMIN)
    with workspace_scope(caller):
        grants = SpaceGrant.objects.of(caller).select_related("user").select_for_update(of=("self",))
        grant: SpaceGrant | None = grants.filter(id=grant_id).first()
        if grant is None:
            raise NotFoundError()
        grant.delete()
        _record(caller, "space.grant_withdrawn", grant)
    return grant


def withdraw_member_grants(*, caller: Caller, user_id: UUID) -> None:
    """Withdraw what a member was granted, in the scope in which they leave the workspace."""
    SpaceGrant.objects.of(caller).filter(user_id=user_id).delete()


def _record(caller: Caller, action: str, grant: SpaceGrant) -> None:
    record_event(
        caller=caller, action=action, object_type="user", object_id=grant.user_id, details={"space": grant.space}
    )
