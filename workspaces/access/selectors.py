"""Reading workspaces, and the gates that turn a signed-in person into a caller."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import OuterRef, Q, QuerySet

from core.clock import utc_now
from core.errors import NotFoundError
from workspaces.access.callers import RIGHTS_OF_ROLE, RIGHTS_OF_STAFF, ActorKind, Caller, Right
from workspaces.access.scope import directory_scope, person_scope, reading_scope, workspace_scope
from workspaces.access.spaces import SHARED, UNBOUND, Binding, NamedSpaces, SpaceName, SpaceNotAllowedError, parse_space
from workspaces.models import (
    ApiKey,
    AuditEvent,
    ConnectedApp,
    Invitation,
    Membership,
    Role,
    SpaceGrant,
    User,
    Workspace,
)

SPACE_OPENED = "space.opened"
MAX_OPENINGS = 50


@dataclass(frozen=True, slots=True)
class ConsoleContext:
    """Where a signed-in person is: the caller they are there, and every workspace they could go to, by name.

    `granted` are the custom spaces that were granted to them; `person` is the member whose space they look at, where it
    is another's.
    """

    caller: Caller
    workspace: Workspace
    workspaces: Sequence[Workspace]
    granted: Sequence[SpaceName] = ()
    person: str = ""

    @property
    def space(self) -> SpaceName:
        """The space that the person looks at."""
        return self.caller.reach.name or SHARED

    @property
    def own_space(self) -> SpaceName:
        """The space of the person."""
        return own_space(self.caller.id)

    @property
    def spaces(self) -> list[SpaceName]:
        """The spaces that the person has: what is shared, their own, and those granted to them."""
        return [SHARED, self.own_space, *self.granted]

    def alone(self) -> ConsoleContext:
        """Return the same context without what is shared, for lists of what belongs to the space."""
        return replace(self, caller=self.caller.alone())


def member_workspaces(user: User) -> list[Workspace]:
    """Return the live workspaces of a person, by name."""
    with person_scope(user.id):
        return list(Workspace.objects.live().order_by("name", "id"))


def accessible_workspaces(actor: User | Caller) -> list[Workspace]:
    """Return the live workspaces that a key or a person may enter, by name: the one of a key, all of a person."""
    if isinstance(actor, User):
        return member_workspaces(actor)
    return [current_workspace(actor)]


def access_workspace(*, user: User, workspace_id: UUID, address: str = "") -> Caller:
    """Return the caller that a person is in a workspace. Raises NotFoundError, also when they are not a member."""
    with person_scope(user.id):
        found = _live_memberships(user).filter(workspace_id=workspace_id).first()
    if found is None:
        raise NotFoundError()
    return _build_caller(found, user=user, address=address)


def access_console(*, user: User, slug: str, address: str = "", space: str = str(SHARED)) -> ConsoleContext:
    """Return where a person is in the workspace with this slug, looking at a space.

    Raises NotFoundError, also when they are not a member, InvalidError for what is not the name of a space,
    SpaceNotAllowedError for one that is not theirs.
    """
    mine = live_memberships(user)
    here = next((membership for membership in mine if membership.workspace.slug == slug), None)
    if here is None:
        raise NotFoundError()
    caller = _build_caller(here, user=user, address=address)
    try:
        caller = caller.naming(NamedSpaces(space=space))
    except SpaceNotAllowedError as error:
        raise SpaceNotAllowedError(
            f"You may not open the space '{space}'. Owners and admins grant spaces under Settings → Spaces."
        ) from error
    workspaces = [membership.workspace for membership in mine]
    seat = ConsoleContext(caller, here.workspace, workspaces, [parse_space(name) for name in grant_names(here)])
    return seat if seat.space in seat.spaces else replace(seat, person=_name_of_person(caller, seat.space))


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
    with reading_scope(caller):
        workspace = Workspace.objects.live().filter(id=caller.workspace_id).first()
    if workspace is None:
        raise NotFoundError()
    return workspace


def hold_workspace(caller: Caller) -> Workspace:
    """Return the caller's workspace, whose settings stay as they are until the caller's open scope ends.

    Raises NotFoundError when it was deleted.
    """
    with workspace_scope(caller):
        # Django has no name for a lock that readers share.
        found = Workspace.objects.raw(
            "SELECT * FROM org.workspaces WHERE id = %s AND NOT is_deleted FOR SHARE", [caller.workspace_id]
        )
        held: Workspace | None = next(iter(found), None)
    if held is None:
        raise NotFoundError()
    return held


def all_workspace_ids() -> list[UUID]:
    """Return every live workspace, for schedules that then enter them one by one."""
    with directory_scope():
        return list(Workspace.objects.live().order_by("id").values_list("id", flat=True))


def workspace_ids_with_deleted() -> list[UUID]:
    """Return every workspace, deleted ones included, for what has to reach all rows that are kept."""
    with directory_scope():
        return list(Workspace.objects.order_by("id").values_list("id", flat=True))


def workspace_keys(caller: Caller) -> list[ApiKey]:
    """Return the workspace's API keys, newest first, revoked ones last; to a key that is bound to spaces, those that
    reach no other. Raises MissingScopeError without `admin`."""
    caller.require(Right.ADMIN)
    with workspace_scope(caller):
        keys = ApiKey.objects.of(caller).select_related("created_by").order_by("-id")
        known = [key for key in keys if caller.binding.covers(key.binding)]
        return sorted(known, key=lambda key: key.revoked_at is not None)


def access_key(caller: Caller, key_id: UUID) -> ApiKey:
    """Return an API key of the workspace. Raises MissingScopeError without `admin`, NotFoundError also for a key that
    reaches more spaces than the caller."""
    caller.require(Right.ADMIN)
    with workspace_scope(caller):
        key: ApiKey | None = ApiKey.objects.of(caller).filter(id=key_id).first()
    if key is None or not caller.binding.covers(key.binding):
        raise NotFoundError()
    return key


def workspace_apps(caller: Caller) -> list[ConnectedApp]:
    """Return the connected apps that are not withdrawn, newest first: all for admins, their own for everybody else."""
    with workspace_scope(caller):
        apps = ConnectedApp.objects.of(caller).filter(revoked_at=None)
        mine = apps if caller.may(Right.ADMIN) else apps.filter(user_id=caller.id)
        return list(mine.select_related("user").order_by("-id"))


def live_memberships(user: User) -> list[Membership]:
    """Return a person's memberships in live workspaces, by the workspace's name."""
    with person_scope(user.id):
        return list(_live_memberships(user))


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
        addressed = (
            Invitation.objects.filter(email=user.email) if user.is_email_confirmed else Invitation.objects.none()
        )
        found = list(addressed.order_by("id"))
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


def remaining_rights(caller: Caller) -> frozenset[Right]:
    """Return those of a caller's rights that its key, app or person has by now: none once that is revoked or gone.

    For work that goes on after the call that asked for it.
    """
    if not (caller.is_agent or caller.kind == ActorKind.USER):
        return caller.rights
    with workspace_scope(caller):
        scopes, person = _present_scopes(caller)
        if person is None:
            return caller.rights & scopes
        mine = Membership.objects.of(caller).filter(user_id=person, user__is_active=True)
        role = mine.values_list("role", flat=True).first()
    return caller.rights & scopes & RIGHTS_OF_ROLE[role] if role else frozenset()


def _present_scopes(caller: Caller) -> tuple[frozenset[Right], UUID | None]:
    """Return what a key or an app was given, nothing once it is over, and the person who answers for it."""
    if caller.kind == ActorKind.USER:
        return frozenset(Right), UUID(caller.id)
    if caller.kind == ActorKind.APP:
        given = ConnectedApp.objects.of(caller).values_list("scopes", "user_id")
    else:
        valid = Q(expires_at=None) | Q(expires_at__gt=utc_now())
        given = ApiKey.objects.of(caller).filter(valid).values_list("scopes", "created_by_id")
    scopes, person = given.filter(id=caller.id, revoked_at=None).first() or ((), None)
    return frozenset(map(Right, scopes)), person


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


def own_space(user_id: object) -> SpaceName:
    """Return the space of a person."""
    return SpaceName("user", str(user_id))


def member_binding(role: str, user_id: object, granted: Iterable[str]) -> Binding:
    """Return what a member may open: every space for owners and admins, else `shared`, their own and granted ones."""
    if Right.ADMIN in RIGHTS_OF_ROLE[role]:
        return UNBOUND
    return Binding((str(SHARED), str(own_space(user_id)), *granted))


def grant_names(found: Membership) -> list[str]:
    """Return the custom spaces that were granted to a member, of a membership that `live_memberships` returned."""
    names: list[str] = found.granted  # type: ignore[attr-defined]  # the query says it
    return names


def workspace_grants(caller: Caller) -> list[SpaceGrant]:
    """Return the grants of custom spaces, by space: all for admins, their own for everybody else."""
    with workspace_scope(caller):
        grants = SpaceGrant.objects.of(caller)
        mine = grants if caller.may(Right.ADMIN) else grants.filter(user_id=caller.id)
        return list(mine.select_related("user").order_by("space", "user__email"))


def own_space_openings(caller: Caller) -> list[AuditEvent]:
    """Return who else opened the space of the person who asks, the latest first."""
    opened = AuditEvent.objects.of(caller).filter(object_id=str(own_space(caller.id).id), action=SPACE_OPENED)
    with workspace_scope(caller):
        return list(opened.order_by("-created_at")[:MAX_OPENINGS])


def _name_of_person(caller: Caller, space: SpaceName) -> str:
    """Return the name of the member whose space it is; '' for any other space."""
    try:
        user_id = UUID(space.key)
    except ValueError:
        return ""
    if own_space(user_id) != space:  # of another kind, or an id that is spelled in another way
        return ""
    with workspace_scope(caller):
        member = Membership.objects.of(caller).filter(user_id=user_id).select_related("user").first()
    return "" if member is None else str(member.user)


def _live_memberships(user: User) -> QuerySet[Membership]:
    """Return a person's memberships in live workspaces, each with the spaces that were granted to them there."""
    grants = SpaceGrant.objects.filter(user_id=OuterRef("user_id"), workspace_id=OuterRef("workspace_id"))
    found = Membership.objects.filter(user=user, workspace__is_deleted=False).select_related("workspace")
    granted = ArraySubquery(grants.order_by("space").values("space"))
    ordered: QuerySet[Membership] = found.annotate(granted=granted).order_by("workspace__name", "workspace_id")
    return ordered


def _build_caller(found: Membership, *, user: User, address: str) -> Caller:
    rights, binding = RIGHTS_OF_ROLE[found.role], member_binding(found.role, user.id, grant_names(found))
    return Caller(found.workspace_id, ActorKind.USER, str(user.id), str(user), rights, address, binding=binding)
