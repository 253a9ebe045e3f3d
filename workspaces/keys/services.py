"""Making and revoking API keys, and turning a presented secret into a caller."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from django.db import DatabaseError, ProgrammingError, connection

from core.clock import utc_now
from core.db.pending_migrations import refuse_unmigrated
from core.errors import FieldProblem, InvalidError, NotFoundError, UnauthenticatedError
from workspaces.access.audit import record_event
from workspaces.access.callers import RIGHTS_OF_ROLE, ActorKind, Caller, Right, system_caller
from workspaces.access.credential_cache import remember_credential
from workspaces.access.scope import secret_scope, workspace_scope
from workspaces.access.selectors import acting_person, member_binding
from workspaces.access.spaces import USER_KIND, Binding, SpaceNotAllowedError, read_binding
from workspaces.keys import secrets
from workspaces.keys.on_behalf_stamps import StampNotExpectedError, read_stamp
from workspaces.keys.tool_sets import TOOL_SETS, ToolSet
from workspaces.models import ApiKey, ConnectedApp, SpaceGrant

# A key's last use is worth one write a minute, not one for every call.
USE_IS_NOTED_EVERY = timedelta(minutes=1)

OPERATOR_KEY_HERE = "An operator's key makes workspaces and opens none of them. Use an API key of the workspace."

# Every call begins with it: a function of the database, so that it takes one exchange instead of a transaction of four.
PRESENTED = """
    SELECT id, workspace_id, name, scopes, revoked_at, expires_at, last_used_at, is_of_person, maker_role, spaces,
           is_stamped, is_of_sub_agent
      FROM org.presented_key(%s)
"""


class InvalidKeyError(UnauthenticatedError):
    """Nothing is known of this secret."""

    code = "invalid_key"
    title = "This API key is not valid: it is mistyped, revoked or expired. Make a new one in Settings, API keys."


class WorkspaceDeletedError(InvalidKeyError):
    """The workspace of the key was deleted; while it is being erased, its keys are still known."""

    code = "workspace_deleted"
    status = 410
    title = "The workspace of this API key is being deleted. Nothing in it can be read or written any more."


class RevokedKeyError(UnauthenticatedError):
    """The key was revoked by a person."""

    code = "revoked_key"
    title = "This API key was revoked. Ask a member of the workspace for a new one."


class ExpiredKeyError(UnauthenticatedError):
    """The key is past its expiry."""

    code = "expired_key"
    title = "This API key has expired. Ask a member of the workspace for a new one."


@dataclass(frozen=True, slots=True)
class NewKey:
    """A key just made; the only moment at which its secret exists."""

    key: ApiKey
    secret: str


def create_key(
    *,
    caller: Caller,
    name: str,
    scopes: Sequence[Right],
    expires_at: datetime | None = None,
    owner: UUID | None = None,
    spaces: Sequence[str] = (),
    is_stamped: bool = False,
    is_of_sub_agent: bool = False,
    tools: Sequence[ToolSet] = (),
) -> NewKey:
    """Make a key of the person who acts, or of `owner`. A key that makes a key does so for the person who made it.

    Raises MissingScopeError without `admin` or without a scope that the key would have, InvalidError for an expiry in
    the past, a space that is none, a stamped key without `user:*`, or one of a sub-agent with the space of a user,
    SpaceNotAllowedError for spaces that the caller may not use.
    """
    for right in {Right.ADMIN, *scopes}:
        caller.require(right)
    if expires_at is not None and expires_at <= utc_now():
        raise InvalidError(problems=(FieldProblem("expires_at", "in_the_past", "Must be in the future."),))
    binding = read_binding(spaces)
    if is_of_sub_agent:
        binding = _refuse_users(binding).for_sub_agent()
    if not caller.binding.covers(binding):
        raise SpaceNotAllowedError(f"A key may use no other spaces than the key that makes it: {caller.binding}.")
    if is_stamped and "user:*" not in binding.allowed:
        said = "A stamped key acts for each of your users: bind it to `user:*`, and to `shared` if it reads that."
        raise InvalidError(problems=(FieldProblem("stamped", "needs_users", said),))
    secret = secrets.new_secret()
    with workspace_scope(caller):
        key = ApiKey.objects.create(
            workspace_id=caller.workspace_id,
            name=name,
            hint=secrets.hint(secret),
            secret_hash=secrets.secret_hash(secret),
            scopes=sorted(set(scopes)),
            spaces=list(binding.allowed),
            is_stamped=is_stamped,
            is_of_sub_agent=is_of_sub_agent,
            tools=[name for name in TOOL_SETS if name in tools],
            created_by_id=owner or acting_person(caller),
            expires_at=expires_at,
        )
        record_event(
            caller=caller,
            action="key.created",
            object_type="api_key",
            object_id=key.id,
            details={"scopes": key.scopes, "spaces": key.spaces, **({"sub_agent": True} if is_of_sub_agent else {})},
        )
    return NewKey(key, secret)


def _refuse_users(binding: Binding) -> Binding:
    """Return the binding; raise InvalidError where it names spaces of users, which a sub-agent is not given."""
    if any(name.partition(":")[0] == USER_KIND for name in binding.allowed):
        said = (
            "A sub-agent is given no memory of users. Leave the spaces of users out, and `stamped`, which needs them."
        )
        raise InvalidError(problems=(FieldProblem("sub_agent", "names_users", said),))
    return binding


def revoke_key(*, caller: Caller, key_id: UUID) -> ApiKey:
    """Revoke a key for good; doing it again changes nothing.

    Raises MissingScopeError, NotFoundError also for a key that is not listed for the caller, as one that is bound to
    other spaces.
    """
    caller.require(Right.ADMIN)
    with workspace_scope(caller):
        key = ApiKey.objects.filter(id=key_id).first()
        if key is None or not caller.binding.covers(key.binding):
            raise NotFoundError()
        if ApiKey.objects.filter(id=key_id, revoked_at=None).update(revoked_at=utc_now()):
            record_event(caller=caller, action="key.revoked", object_type="api_key", object_id=key_id)
            key.refresh_from_db()
    return key


def revoke_member_keys(*, caller: Caller, user_id: UUID) -> None:
    """Revoke every active key that a person made, in the scope in which they leave the workspace."""
    for key_id in _active_member_keys(caller, user_id):
        revoke_key(caller=caller, key_id=key_id)


def hand_over_member_keys(*, caller: Caller, user_id: UUID) -> None:
    """Make the caller's person the maker of every active key that another person made.

    From then on the keys have at most the rights of the new maker. Raises InvalidError when no person stands behind
    the caller, or it is the one who leaves.
    """
    heir = acting_person(caller)
    if heir is None or heir == user_id:
        problem = FieldProblem("keys", "no_heir", "Ask as another member, who becomes answerable for the keys.")
        raise InvalidError(problems=(problem,))
    for key_id in _active_member_keys(caller, user_id):
        ApiKey.objects.filter(id=key_id).update(created_by_id=heir)
        record_event(caller=caller, action="key.handed_over", object_type="api_key", object_id=key_id)


def _active_member_keys(caller: Caller, user_id: UUID) -> list[UUID]:
    keys_of_person = ApiKey.objects.of(caller).filter(created_by_id=user_id, revoked_at=None).order_by("id")
    return list(keys_of_person.select_for_update().values_list("id", flat=True))


def listed_tool_sets(caller: Caller) -> tuple[ToolSet, ...]:
    """Return the sets of MCP tools that the caller's key lists; none where it names none, or is an app."""
    if caller.kind != ActorKind.API_KEY:
        return ()
    with workspace_scope(caller):
        chosen = ApiKey.objects.of(caller).filter(id=caller.id).values_list("tools", flat=True).first() or []
    return tuple(name for name in TOOL_SETS if name in chosen)


def caller_of_key(*, secret: str, address: str = "", on_behalf_of: str = "") -> Caller:
    """Return the caller behind a secret; `on_behalf_of` is the header of a stamped key.

    Raises InvalidKeyError, WorkspaceDeletedError, RevokedKeyError, ExpiredKeyError or UnmigratedError, and what
    `_present_binding` raises.
    """
    if secret.startswith(secrets.OPERATOR_PREFIX):
        raise InvalidKeyError(OPERATOR_KEY_HERE)
    if not secret.startswith(secrets.PREFIX) or len(secret) > 200:
        raise InvalidKeyError()
    now, digest = utc_now(), secrets.secret_hash(secret)
    key = _find_presented_key(digest)
    if key is None:
        refuse_unmigrated()  # policies that are still to come may hide it, and agents throw away a key that is refused
        _refuse_deleted(digest)
        raise InvalidKeyError()
    if key.revoked_at is not None:
        raise RevokedKeyError()
    if key.expires_at is not None and key.expires_at <= now:
        raise ExpiredKeyError()
    remember_credential(secret, key.workspace_id)
    rights, binding = _present_rights(key), _present_binding(key, secret, on_behalf_of, now)
    caller = Caller(key.workspace_id, ActorKind.API_KEY, str(key.id), key.name, rights, address, binding=binding)
    if key.is_of_sub_agent:
        caller = caller.as_sub_agent()
    if key.last_used_at is None or now - key.last_used_at > USE_IS_NOTED_EVERY:
        first: dict[str, datetime | str] = {"first_used_at": now, "first_used_from": address[:64]}
        note_use(caller, ApiKey, key.id, now, **(first if key.last_used_at is None else {}))
    return caller


class _Presented(NamedTuple):
    """A key as its check reads it."""

    id: UUID
    workspace_id: UUID
    name: str
    scopes: list[str]
    revoked_at: datetime | None
    expires_at: datetime | None
    last_used_at: datetime | None
    is_of_person: bool
    maker_role: str | None
    spaces: list[str]
    is_stamped: bool
    is_of_sub_agent: bool


def _present_rights(key: _Presented) -> frozenset[Right]:
    """Return the key's scopes that its maker still has the right to give.

    Raises RevokedKeyError when the maker is not a member any more, or their account was deactivated.
    """
    scopes = frozenset(map(Right, key.scopes))
    if not key.is_of_person:
        return scopes
    if key.maker_role is None:
        raise RevokedKeyError(
            "The person who made this API key is not a member of the workspace any more. Ask a member for a new one."
        )
    return scopes & RIGHTS_OF_ROLE[key.maker_role]


def _present_binding(key: _Presented, secret: str, on_behalf_of: str, now: datetime) -> Binding:
    """Return the spaces that the key may use in this call: those it is bound to, of those its maker may open now.

    Raises StampNotExpectedError, StampRequiredError or InvalidStampError where the header does not fit the key, and
    RevokedKeyError where nothing is left of its spaces.
    """
    binding = Binding(tuple(key.spaces))
    if key.is_stamped:
        binding = binding.for_user(read_stamp(on_behalf_of, secret=secret, now=now))
    elif on_behalf_of:
        raise StampNotExpectedError()
    if key.maker_role is None or Right.ADMIN in RIGHTS_OF_ROLE[key.maker_role]:
        return binding
    left = binding.narrow(_maker_binding(key))
    if left is None or (left.default and not left.allows(left.default)):
        raise RevokedKeyError(
            "The person who made this API key may not open its space any more. Ask an owner or admin for a new one."
        )
    return left


def _maker_binding(key: _Presented) -> Binding:
    """Return what the maker of a key may open, who governs the workspace no longer; such keys alone are looked up."""
    everywhere = system_caller(key.workspace_id, "keys")
    with workspace_scope(everywhere):
        maker = ApiKey.objects.of(everywhere).filter(id=key.id).values_list("created_by_id", flat=True).first()
        granted = SpaceGrant.objects.of(everywhere).filter(user_id=maker).order_by("space")
        return member_binding(str(key.maker_role), maker, list(granted.values_list("space", flat=True)))


def _find_presented_key(digest: str) -> _Presented | None:
    """Return the key whose secret has this hash, unless its workspace was deleted."""
    try:
        with connection.cursor() as cursor:
            cursor.execute(PRESENTED, [digest])
            row = cursor.fetchone()
    except ProgrammingError:
        refuse_unmigrated()  # the function itself may be still to come
        raise
    return _Presented(*row) if row else None


def _refuse_deleted(digest: str) -> None:
    """Raise WorkspaceDeletedError for a key of a workspace that is being erased, to which it is still there."""
    with secret_scope(digest):
        is_known = ApiKey.objects.filter(secret_hash=digest, workspace__is_deleted=True).exists()
    if is_known:
        raise WorkspaceDeletedError()


def note_use(
    caller: Caller, model: type[ApiKey | ConnectedApp], row_id: UUID, now: datetime, **first: datetime | str
) -> None:
    """Note the use of a key or an app, with what is kept of its `first` one; a database that cannot write, because its
    disk is full, still serves readers."""
    with suppress(DatabaseError), workspace_scope(caller):
        model.objects.of(caller).filter(id=row_id).update(last_used_at=now, **first)
