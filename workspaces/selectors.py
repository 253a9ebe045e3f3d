"""Reading workspaces, and the gates that turn a signed-in person into a caller."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from core.errors import NotFoundError
from workspaces.callers import RIGHTS_OF_ROLE, RIGHTS_OF_STAFF, ActorKind, Caller, Right
from workspaces.models import ApiKey, ConnectedApp, Membership, User, Workspace
from workspaces.scope import directory_scope, person_scope, workspace_scope


@dataclass(frozen=True, slots=True)
class Seat:
    """Where a signed-in person is: the caller they are there, and every workspace they could go to, by name."""

    caller: Caller
    workspace: Workspace
    workspaces: Sequence[Workspace]


def workspaces_of(user: User) -> list[Workspace]:
    """The live workspaces of a person, by name."""
    with person_scope(user.id):
        return list(Workspace.objects.live().order_by("name", "id"))


def workspaces_open_to(somebody: User | Caller) -> list[Workspace]:
    """The live workspaces that somebody may enter, by name: the one of a key, all of a person."""
    if isinstance(somebody, User):
        return workspaces_of(somebody)
    return [workspace_of(somebody)]


def access_workspace(*, user: User, workspace_id: UUID, address: str = "") -> Caller:
    """The caller that a person is in a workspace. Raises NotFoundError, also when they are no member."""
    with person_scope(user.id):
        role = (
            Membership.objects.filter(user=user, workspace_id=workspace_id, workspace__is_deleted=False)
            .values_list("role", flat=True)
            .first()
        )
    if role is None:
        raise NotFoundError()
    return _caller_as(role, user=user, workspace_id=workspace_id, address=address)


def access_seat(*, user: User, slug: str, address: str = "") -> Seat:
    """A person's seat in the workspace with this slug. Raises NotFoundError, also when they are no member."""
    mine = seats_of(user)
    here = next((membership for membership in mine if membership.workspace.slug == slug), None)
    if here is None:
        raise NotFoundError()
    caller = _caller_as(here.role, user=user, workspace_id=here.workspace.id, address=address)
    return Seat(caller, here.workspace, [membership.workspace for membership in mine])


def access_workspace_as_staff(*, user: User, workspace_id: UUID, address: str = "") -> Caller:
    """The caller that a staff member is in any live workspace. Raises NotFoundError, also when they are no staff."""
    with directory_scope():
        is_there = Workspace.objects.live().filter(id=workspace_id).exists()
    if not (is_there and user.is_staff and user.is_active):
        raise NotFoundError()
    return Caller(workspace_id, ActorKind.STAFF, str(user.id), str(user), RIGHTS_OF_STAFF, address)


def workspace_of(caller: Caller) -> Workspace:
    """The caller's workspace. Raises NotFoundError when it was deleted."""
    with workspace_scope(caller):
        workspace = Workspace.objects.live().filter(id=caller.workspace_id).first()
    if workspace is None:
        raise NotFoundError()
    return workspace


def all_workspace_ids() -> list[UUID]:
    """Every live workspace, for schedules that then enter them one by one."""
    with directory_scope():
        return list(Workspace.objects.live().order_by("id").values_list("id", flat=True))


def keys_of(caller: Caller) -> list[ApiKey]:
    """The workspace's API keys, newest first, revoked ones last. Raises MissingScopeError without `admin`."""
    caller.require(Right.ADMIN)
    with workspace_scope(caller):
        keys = ApiKey.objects.filter(workspace_id=caller.workspace_id).order_by("-id")
        return sorted(keys, key=lambda key: key.revoked_at is not None)


def apps_of(caller: Caller) -> list[ConnectedApp]:
    """The connected apps that are not withdrawn, newest first: all for admins, their own for everybody else."""
    with workspace_scope(caller):
        apps = ConnectedApp.objects.filter(workspace_id=caller.workspace_id, revoked_at=None)
        mine = apps if caller.may(Right.ADMIN) else apps.filter(user_id=caller.id)
        return list(mine.select_related("user").order_by("-id"))


def seats_of(user: User) -> list[Membership]:
    """A person's memberships in live workspaces, by the workspace's name."""
    with person_scope(user.id):
        return list(
            Membership.objects.filter(user=user, workspace__is_deleted=False)
            .select_related("workspace")
            .order_by("workspace__name", "workspace_id")
        )


def members_of(caller: Caller) -> list[Membership]:
    """The workspace's people. Raises MissingScopeError without `read`."""
    caller.require(Right.READ)
    with workspace_scope(caller):
        return list(
            Membership.objects.filter(workspace_id=caller.workspace_id).select_related("user").order_by("user__email")
        )


def _caller_as(role: str, *, user: User, workspace_id: UUID, address: str) -> Caller:
    return Caller(workspace_id, ActorKind.USER, str(user.id), str(user), RIGHTS_OF_ROLE[role], address)
