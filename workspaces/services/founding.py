"""Founding workspaces and admitting people to them."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.utils.text import slugify

from core.errors import ConflictError, FieldProblem, InvalidError, NotFoundError
from core.ids import new_id
from workspaces.callers import RIGHTS_OF_ROLE, ActorKind, Caller, Right
from workspaces.models import Membership, Role, User, Workspace
from workspaces.scope import workspace_scope
from workspaces.services.audit import record_event
from workspaces.services.connecting import withdraw_apps_of


def found_workspace(*, owner: User, name: str, config: dict[str, Any] | None = None, address: str = "") -> Workspace:
    """Create a workspace with its first owner. Its address in the console is made from its name."""
    identity = new_id()
    caller = Caller(identity, ActorKind.USER, str(owner.id), str(owner), RIGHTS_OF_ROLE["owner"], address)
    with workspace_scope(caller):
        workspace = Workspace.objects.create(id=identity, name=name, slug=_slug(name, identity), config=config or {})
        Membership.objects.create(workspace=workspace, user=owner, role=Role.OWNER)
        record_event(caller=caller, action="workspace.founded", object_type="workspace", object_id=identity)
    return workspace


def add_member(*, caller: Caller, email: str, role: str) -> Membership:
    """Admit a person who already has an account, or change their role.

    Raises MissingScopeError without `admin`, NotFoundError when nobody has that address, ConflictError when the last
    owner would stop being one.
    """
    caller.require(Right.ADMIN)
    if role not in Role.values:
        raise InvalidError(problems=(FieldProblem("role", "unknown_role", f"One of {', '.join(Role.values)}."),))
    user = User.objects.filter(email=email.strip().lower(), is_active=True).first()
    if user is None:
        raise NotFoundError("Nobody has an account with that address.")
    with workspace_scope(caller):
        if role != Role.OWNER:
            _keep_an_owner(caller, user.id)
        membership: Membership
        membership, _ = Membership.objects.update_or_create(
            workspace_id=caller.workspace_id, user=user, defaults={"role": role}
        )
        record_event(
            caller=caller, action="member.added", object_type="user", object_id=user.id, details={"role": role}
        )
    return membership


def remove_member(*, caller: Caller, user_id: UUID) -> None:
    """Take a person's membership away, and withdraw the apps that they let in.

    Raises MissingScopeError, NotFoundError, ConflictError for the last owner.
    """
    caller.require(Right.ADMIN)
    with workspace_scope(caller):
        _keep_an_owner(caller, user_id)
        removed, _ = Membership.objects.filter(workspace_id=caller.workspace_id, user_id=user_id).delete()
        if not removed:
            raise NotFoundError()
        withdraw_apps_of(caller=caller, user_id=user_id)
        record_event(caller=caller, action="member.removed", object_type="user", object_id=user_id)


def _keep_an_owner(caller: Caller, leaving: UUID) -> None:
    owners = list(
        Membership.objects.select_for_update()
        .filter(workspace_id=caller.workspace_id, role=Role.OWNER)
        .values_list("user_id", flat=True)
    )
    if owners == [leaving]:
        raise ConflictError("A workspace keeps at least one owner. Make somebody else an owner first.")


def _slug(name: str, identity: UUID) -> str:
    """Readable, and unique without asking: asking would tell which names other workspaces have."""
    return f"{slugify(name)[:60] or 'workspace'}-{identity.hex[-6:]}"
