"""API keys for programs on a person's own machine: a code of the page of consent, exchanged for a key once.

What the person agreed to waits in the row of the code, which django-oauth-toolkit keeps; nothing is made before the
program proves with its verifier that it asked. The key is the person's own, listed and revoked as all others are.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils.crypto import constant_time_compare
from oauth2_provider.models import Grant

from core.clock import utc_now
from core.errors import NotFoundError, ProductError
from workspaces.access.audit import record_event
from workspaces.access.callers import Right, system_caller
from workspaces.access.scope import workspace_scope
from workspaces.access.selectors import access_workspace
from workspaces.keys.services import NewKey, create_key
from workspaces.models import ApiKey
from workspaces.oauth.token_validator import EXCHANGED, REPLAYED


class InvalidCodeError(ProductError):
    """The code was used, has expired, or is not of the one who presents it."""

    code = "invalid_grant"
    status = 400
    title = "This code is not valid: it was used, has expired, or is another program's. Sign in again."


@dataclass(frozen=True, slots=True)
class AgreedKey:
    """The key that a person agreed to on the page of consent; without `spaces` it may name every space."""

    workspace: str
    scopes: tuple[str, ...]
    spaces: tuple[str, ...]
    expires_at: str | None

    def as_claims(self) -> dict[str, Any]:
        """Return what the row of the code keeps."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class PresentedCode:
    """A code as a program presents it, with what proves that it is the one that asked."""

    code: str
    client_id: str
    redirect_uri: str
    verifier: str


def find_key_code(*, code: str, client_id: str, resource: str) -> Grant | None:
    """Return the row of a code that is for a key, `resource` being the address that keys open."""
    found = Grant.objects.select_related("application", "user").filter(code=code, application__client_id=client_id)
    grant = found.first()
    return grant if grant is not None and grant.resource == [resource] else None


def exchange_code(*, grant: Grant, presented: PresentedCode, address: str = "") -> NewKey:
    """Make the key that the person agreed to. The first exchange ends the code, whatever comes of it.

    A code that gave a key and comes back ends the key: two parties have it. Raises InvalidCodeError, and what
    `create_key` raises for a person who may not make it any more.
    """
    now = utc_now()
    fresh = Grant.objects.filter(pk=grant.pk, expires__gt=now).exclude(code_challenge_method=EXCHANGED)
    if not fresh.update(expires=now):
        _end_replayed(grant)
        raise InvalidCodeError()
    if presented.redirect_uri != grant.redirect_uri or not _fits(presented.verifier, grant.code_challenge):
        raise InvalidCodeError()
    agreed = json.loads(grant.claims)
    try:
        caller = access_workspace(user=grant.user, workspace_id=UUID(agreed["workspace"]), address=address)
    except NotFoundError as error:
        raise InvalidCodeError("You are not a member of that workspace any more.") from error
    with transaction.atomic():
        # An exchange that comes in now waits here, or its mark is seen.
        if Grant.objects.select_for_update().get(pk=grant.pk).nonce == REPLAYED:
            raise InvalidCodeError()
        made = create_key(
            caller=caller,
            name=grant.application.name or "A program that signed in",
            scopes=[Right(scope) for scope in agreed["scopes"]],
            spaces=agreed["spaces"],
            expires_at=datetime.fromisoformat(agreed["expires_at"]) if agreed["expires_at"] else None,
            owner=grant.user.id,
        )
        claims = json.dumps({**agreed, "key": str(made.key.id)})
        Grant.objects.filter(pk=grant.pk).update(code_challenge_method=EXCHANGED, claims=claims)
    return made


def _fits(verifier: str, challenge: str) -> bool:
    """Return whether a verifier is the one whose SHA-256 was sent when the person was asked (RFC 7636, S256)."""
    digest = hashlib.sha256(verifier.encode()).digest()
    return constant_time_compare(base64.urlsafe_b64encode(digest).decode().rstrip("="), challenge)


def _end_replayed(grant: Grant) -> None:
    """Revoke the key that a code has given, which came back."""
    with transaction.atomic():
        Grant.objects.filter(pk=grant.pk).update(nonce=REPLAYED)  # or waits until the key is kept
        agreed: Mapping[str, Any] = json.loads(Grant.objects.get(pk=grant.pk).claims)
        if "key" not in agreed:
            return
        system = system_caller(UUID(agreed["workspace"]), "sign-in of a program")
        with workspace_scope(system):
            if ApiKey.objects.filter(id=agreed["key"], revoked_at=None).update(revoked_at=utc_now()):
                record_event(caller=system, action="key.revoked", object_type="api_key", object_id=UUID(agreed["key"]))
