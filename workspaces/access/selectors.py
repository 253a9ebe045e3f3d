"""Reading workspaces, and the gates that turn a signed-in person into a caller."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from core.errors import NotFoundError
from workspaces.access.callers import RIGHTS_OF_ROLE, RIGHTS_OF_STAFF, ActorKind, Caller, Right
from workspaces.access.scope import directory_scope, person_scope, workspace_scope
from workspaces.access.spaces import SHARED, UNBOUND, Binding
from workspaces.models import ApiKey, ConnectedApp, Invitation, Membership, Role, User, Workspace


@dataclass(frozen=True, slots=True)
class ConsoleContext:
    """Where a signed-in person is: the caller they are there, and every workspace they could go to, by name."""

    caller: Caller
    workspace: Workspace
    workspaces: Sequence[Workspace]


def member_workspaces(user: User) -> list[Workspace]:
    """Return the live workspaces of a person, by name."""
    with person_scope(user.id):
        return list(Workspace.objects.live().order_by("name", "id"))


def accessible_workspaces(somebody: User | Caller) -> list[Workspace]:
    """Return the live workspaces that a key or a person may enter, by name: the one of a key, all of a person."""
    if isinstance(somebody, User):
        return member_workspaces(somebody)
    return [current_workspace(somebody)]


def access_workspace(*, user: User, workspace_id: UUID, address: str = "") -> Caller:
    """Return the caller that a person is in a workspace. Raises NotFoundError, also when they are not a member."""
    with person_scope(user.id):
        role = (
            Membership.objects.filter(user=user, workspace_id=workspace_id, workspace__is_deleted=False)
            .values_list("role", flat=True)
            .first()
        )
    if role is None:
        raise NotFoundError()
    return _build_caller(role, user=user, workspace_id=workspace_id, address=address)


def access_console(*, user: User, slug: str, address: str = "") -> ConsoleContext:
    """Return a person's seat in the workspace with this slug. Raises NotFoundError, also when they are not a member."""
    mine = console_contexts(user)
    here = next((membership for membership in mine if membership.workspace.slug == slug), None)
    if here is None:
        raise NotFoundError()
    caller = _build_caller(here.role, user=user, workspace_id=here.workspace.id, address=address)
    return ConsoleContext(caller, here.workspace, [membership.workspace for membership in mine])


def access_workspace_as_staff(*, user: User, workspace_id: UUID, address: str = "") -> Caller:
    """Return the caller that a staff member is in any live workspace. Raises NotFoundError, also when they are not
    staff."""
    with directory_scope():
        is_there = Workspace.objects.live().filter(id=workspace_id).exists()
    if not (is_there and user.is_staff and user.is_active):
        raise NotFoundError()
    return Caller(workspace_id, ActorKind.STAFF, str(user.id), str(user), RIGHTS_OF_STAFF, address)


def current_workspace(caller: Caller) -> Workspace:
    """Return the caller's workspace. Raises NotFoundError when it was deleted."""
    with workspace_scope(caller):
        workspace = Workspace.objects.live().filter(id=caller.workspace_id).first()
    if workspace is None:
        raise NotFoundError()
    return workspace


def all_workspace_ids() -> list[UUID]:
    """Return every live workspace, for schedules that then enter them one by one."""
    with directory_scope():
        return list(Workspace.objects.live().order_by("id").values_list("id", flat=True))


def every_workspace_id() -> list[UUID]:
    """Return every workspace, deleted ones included, for what has to reach all rows that are kept."""
    with directory_scope():
        return list(Workspace.objects.order_by("id").values_list("id", flat=True))


def workspace_keys(caller: Caller) -> list[ApiKey]:
    """Return the workspace's API keys, newest first, revoked ones last. Raises MissingScopeError without `admin`."""
    caller.require(Right.ADMIN)
    with workspace_scope(caller):
        keys = ApiKey.objects.of(caller).select_related("created_by").order_by("-id")
        return sorted(keys, key=lambda key: key.revoked_at is not None)


def workspace_apps(caller: Caller) -> list[ConnectedApp]:
    """Return the connected apps that are not withdrawn, newest first: all for admins, their own for everybody else."""
    with workspace_scope(caller):
        apps = ConnectedApp.objects.of(caller).filter(revoked_at=None)
        mine = apps if caller.may(Right.ADMIN) else apps.filter(user_id=caller.id)
        return list(mine.select_related("user").order_by("-id"))


def console_contexts(user: User) -> list[Membership]:
    """Return a person's memberships in live workspaces, by the workspace's name."""
    with person_scope(user.id):
        return list(
            Membership.objects.filter(user=user, workspace__is_deleted=False)
            .select_related("workspace")
            .order_by("workspace__name", "workspace_id")
        )


def workspace_members(caller: Caller) -> list[Membership]:
    """Return the workspace's people. Raises MissingScopeError without `read`."""
    caller.require(Right.READ)
    with workspace_scope(caller):
        return list(Membership.objects.of(caller).select_related("user").order_by("user__email"))


def workspace_invitations(caller: Caller) -> list[Invitation]:
    """Return the invitations of the workspace that are not answered yet. Raises MissingScopeError without `admin`."""
    caller.require(Right.ADMIN)
    with workspace_scope(caller):
        return list(Invitation.objects.of(caller).order_by("email"))


def received_invitations(user: User) -> list[Invitation]:
    """Return the invitations to live workspaces that are addressed to a person, each with its workspace."""
    with person_scope(user.id):
        found = list(Invitation.objects.filter(email=user.email).order_by("id"))
    with directory_scope():  # a workspace is hidden from those who are not members of it
        workspaces = Workspace.objects.live().in_bulk([invitation.workspace_id for invitation in found])
    for invitation in found:
        if invitation.workspace_id in workspaces:
            invitation.workspace = workspaces[invitation.workspace_id]
    return [invitation for invitation in found if invitation.workspace_id in workspaces]


def acting_person(caller: Caller) -> UUID | None:
    """Return the person who answers for what the caller does; None for tasks, staff, and keys that no person made."""
    if caller.kind == ActorKind.USER:
        return UUID(caller.id)
    with workspace_scope(caller):
        if caller.kind == ActorKind.API_KEY:
            return ApiKey.objects.filter(id=caller.id).values_list("created_by_id", flat=True).first()
        if caller.kind == ActorKind.APP:
            return ConnectedApp.objects.filter(id=caller.id).values_list("user_id", flat=True).first()
    return None


def is_owner(caller: Caller) -> bool:
    """Return whether an owner of the workspace acts in person. A command of an operator, a system caller, counts as
    one."""
    if caller.kind == ActorKind.SYSTEM:
        return True
    if caller.kind != ActorKind.USER:
        return False
    with workspace_scope(caller):
        owners = Membership.objects.of(caller).filter(role=Role.OWNER)
        return owners.filter(user_id=caller.id).exists()


def _build_caller(role: str, *, user: User, workspace_id: UUID, address: str) -> Caller:
    rights = RIGHTS_OF_ROLE[role]
    # Who governs the workspace may open every space; the others have their own and what is shared.
    binding = UNBOUND if Right.ADMIN in rights else Binding((str(SHARED), f"user:{user.id}"))
    return Caller(workspace_id, ActorKind.USER, str(user.id), str(user), rights, address, binding=binding)
