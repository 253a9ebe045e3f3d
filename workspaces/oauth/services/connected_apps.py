"""Programs that people let in by signing in: connecting and withdrawing them, and turning a token into a caller.

django-oauth-toolkit keeps registrations, codes and tokens (hashes of them); a row here, the connected app, says into
which workspace. Its id is the family of the tokens that were granted for it and of those that renew them. Rights are
looked up at every call, so that a member who leaves a workspace takes their apps along.
"""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.db import transaction
from django.db.models import F
from oauth2_provider.models import AccessToken, Grant, RefreshToken

from core.clock import utc_now
from core.db.pending_migrations import refuse_unmigrated
from core.errors import NotFoundError, UnauthenticatedError
from workspaces.access.audit import record_event
from workspaces.access.callers import ActorKind, Caller, Right
from workspaces.access.credential_cache import remember_credential
from workspaces.access.scope import person_scope, workspace_scope
from workspaces.access.selectors import access_workspace, own_space
from workspaces.access.spaces import SHARED, Binding, SpaceNotAllowedError, read_binding
from workspaces.keys import secrets
from workspaces.keys.services import USE_IS_NOTED_EVERY, note_use
from workspaces.models import ConnectedApp, User
from workspaces.oauth.selectors import app_label


class InvalidTokenError(UnauthenticatedError):
    """Nothing is known of this access token, or what it stood for was withdrawn."""

    code = "invalid_token"
    title = "This access token is not valid, or was withdrawn. Connect the app again."


class ExpiredTokenError(UnauthenticatedError):
    """The access token is past its hour."""

    code = "expired_token"
    title = "This access token has expired. Refresh it, or connect the app again."


class WrongResourceError(UnauthenticatedError):
    """The access token was made for another address."""

    code = "wrong_resource"
    title = "This access token is for another server. Connect the app to this address."


def connect_app(
    *,
    user: User,
    workspace_id: UUID,
    client_id: str,
    name: str,
    scopes: Sequence[Right],
    spaces: Sequence[str] = (),
    address: str = "",
) -> ConnectedApp:
    """Let a program into a workspace on behalf of a person. Where it was before, it is withdrawn.

    Without `spaces` it gets what is shared and those of the person. Raises NotFoundError when they are not a member,
    MissingScopeError for a scope, SpaceNotAllowedError for a space that they do not have themselves, InvalidError for
    what is not the name of a space.
    """
    caller = access_workspace(user=user, workspace_id=workspace_id, address=address)
    for right in scopes:
        caller.require(right)
    binding = read_binding(spaces or _usual_spaces(user))
    if not caller.binding.covers(binding):
        raise SpaceNotAllowedError(f"An app gets no other spaces than its person has: {caller.binding}.")
    with transaction.atomic():
        User.objects.select_for_update().get(id=user.id)  # two consents at once become two in a row
        with person_scope(user.id):
            former = list(ConnectedApp.objects.filter(user=user, client_id=client_id, revoked_at=None))
        for each in former:
            _withdraw(_by_itself(each, address), each)
        with workspace_scope(caller):
            app: ConnectedApp = ConnectedApp.objects.create(
                workspace_id=workspace_id,
                user=user,
                client_id=client_id,
                name=name,
                scopes=sorted(set(scopes)),
                spaces=list(binding.allowed),
            )
            record_event(
                caller=caller,
                action="app.connected",
                object_type="connected_app",
                object_id=app.id,
                details={"scopes": app.scopes, "spaces": app.spaces},
            )
    return app


def withdraw_app(*, caller: Caller, app_id: UUID) -> ConnectedApp:
    """Withdraw an app for good: its tokens are gone; doing it again changes nothing.

    People withdraw their own, admins anybody's. Raises NotFoundError for any other.
    """
    with workspace_scope(caller):
        app: ConnectedApp | None = ConnectedApp.objects.select_related("user").filter(id=app_id).first()
    if app is None or not (caller.may(Right.ADMIN) or caller.id == str(app.user_id)):
        raise NotFoundError()
    _withdraw(caller, app)
    return app


def caller_of_token(*, secret: str, resource: str, address: str = "") -> Caller:
    """Return the caller behind an access token that was made for the address `resource`.

    Raises InvalidTokenError, ExpiredTokenError, WrongResourceError or UnmigratedError.
    """
    tokens = AccessToken.objects.select_related("user").annotate(app=F("refresh_token__token_family"))
    found = tokens.filter(token_checksum=secrets.secret_hash(secret)).first()
    if found is None or found.user is None:
        refuse_unmigrated()
        raise InvalidTokenError()
    if found.is_expired():
        raise ExpiredTokenError()
    if not found.allows_audience(resource):
        raise WrongResourceError()
    now = utc_now()
    app, person = access_connected_app(user=found.user, app_id=found.app, address=address)
    rights = person.rights & frozenset(map(Right, found.scope.split())) & frozenset(map(Right, app.scopes))
    remember_credential(secret, app.workspace_id)
    binding = narrow_binding(app, person)
    label = app_label(app.name, found.user)
    caller = Caller(app.workspace_id, ActorKind.APP, str(app.id), label, rights, address, binding=binding)
    if app.last_used_at is None or now - app.last_used_at > USE_IS_NOTED_EVERY:
        note_use(caller, ConnectedApp, app.id, now)
    return caller


def withdraw_member_apps(*, caller: Caller, user_id: UUID) -> None:
    """Withdraw every app that a person let into this workspace, in the scope in which they leave it."""
    for app in ConnectedApp.objects.of(caller).filter(user_id=user_id, revoked_at=None):
        _withdraw(caller, app)


def withdraw_workspace_apps(*, caller: Caller) -> None:
    """Withdraw every app of a workspace that is being erased, so that their tokens go."""
    with workspace_scope(caller):
        apps = list(ConnectedApp.objects.of(caller).filter(revoked_at=None))
    for app in apps:
        _withdraw(caller, app)


def access_connected_app(*, user: User, app_id: UUID | None, address: str = "") -> tuple[ConnectedApp, Caller]:
    """Return a person's app, and who they are in its workspace. Raises InvalidTokenError once it, or they, are gone."""
    with person_scope(user.id):
        app = ConnectedApp.objects.filter(id=app_id, user=user, revoked_at=None).first()
        if app is None or not user.is_active:
            raise InvalidTokenError()
        try:
            return app, access_workspace(user=user, workspace_id=app.workspace_id, address=address)
        except NotFoundError as error:
            raise InvalidTokenError() from error


def narrow_binding(app: ConnectedApp, person: Caller) -> Binding:
    """Return what the app was given and its person still has. Raises InvalidTokenError where nothing is left."""
    # Apps of an older version have no spaces in their row.
    binding = Binding(tuple(app.spaces) or _usual_spaces(app.user)).narrow(person.binding)
    if binding is None:
        raise InvalidTokenError("The spaces that this app was given were withdrawn. Connect the app again.")
    return binding


def bind_tokens(*, user: User, client_id: str, refresh_secret: str) -> None:
    """Make tokens that were just given for a code those of the connected app, in the transaction that made them."""
    with person_scope(user.id):
        app = ConnectedApp.objects.filter(user=user, client_id=client_id, revoked_at=None).values("id")[:1]
        RefreshToken.objects.filter(token_checksum=secrets.secret_hash(refresh_secret)).update(token_family=app)


def withdraw_replayed(*, user: User, client_id: str) -> None:
    """Withdraw an app whose authorization code was used twice, with all tokens that came of it."""
    with person_scope(user.id):
        apps = list(ConnectedApp.objects.filter(user=user, client_id=client_id, revoked_at=None))
    for app in apps:
        _withdraw(_by_itself(app, ""), app)


def _usual_spaces(user: User) -> tuple[str, ...]:
    return str(SHARED), str(own_space(user.id))


def _by_itself(app: ConnectedApp, address: str) -> Caller:
    """Return the app as the one who acts: it leaves a workspace because its person lets it into another."""
    return Caller(app.workspace_id, ActorKind.APP, str(app.id), app.name[:200], frozenset(), address)


def _withdraw(caller: Caller, app: ConnectedApp) -> None:
    with workspace_scope(caller):
        if ConnectedApp.objects.filter(id=app.id, revoked_at=None).update(revoked_at=utc_now()):
            record_event(caller=caller, action="app.withdrawn", object_type="connected_app", object_id=app.id)
        for kind in (Grant, RefreshToken, AccessToken):
            kind.objects.filter(user=app.user_id, application__client_id=app.client_id).delete()
