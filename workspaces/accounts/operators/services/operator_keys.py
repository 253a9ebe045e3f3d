"""Making and revoking operators' keys, and turning a presented secret into an operator."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db import DatabaseError, ProgrammingError, transaction

from core.clock import utc_now
from core.db.pending_migrations import refuse_unmigrated
from core.errors import NotFoundError
from workspaces.access.audit import record_event
from workspaces.access.operators import Operator
from workspaces.access.scope import workspace_scope
from workspaces.accounts.operators.selectors import operator_workspaces
from workspaces.keys import secrets
from workspaces.keys.services import InvalidKeyError, RevokedKeyError
from workspaces.models import OperatorEvent, OperatorKey

# A key's last use is worth one write a minute, not one for every call.
USE_IS_NOTED_EVERY = timedelta(minutes=1)
_CURE = "Ask who runs the server for another one: manage.py make_operator_key."


@dataclass(frozen=True, slots=True)
class NewOperatorKey:
    """A key just made; the only moment at which its secret exists."""

    key: OperatorKey
    secret: str


def create_operator_key(*, name: str) -> NewOperatorKey:
    """Make a key with which workspaces are made. For who runs the server: no request may call this."""
    secret = secrets.new_operator_secret()
    with transaction.atomic():
        key = OperatorKey.objects.create(name=name, hint=secrets.hint(secret), secret_hash=secrets.secret_hash(secret))
        OperatorEvent.objects.create(key=key, action="operator_key.created")
    return NewOperatorKey(key, secret)


def revoke_operator_key(*, key_id: UUID) -> OperatorKey:
    """Revoke an operator's key for good, and note it in the record of each workspace that it made; doing it again
    changes nothing. Raises NotFoundError.
    """
    with transaction.atomic():
        is_revoked_now = OperatorKey.objects.filter(id=key_id, revoked_at=None).update(revoked_at=utc_now())
        key = OperatorKey.objects.filter(id=key_id).first()
        if key is None:
            raise NotFoundError(f"There is no operator's key {key_id}. manage.py operator_keys lists them.")
        if is_revoked_now:
            OperatorEvent.objects.create(key=key, action="operator_key.revoked")
    if is_revoked_now:
        _tell_workspaces(Operator(key.id, key.name))
    return key


def operator_of_key(*, secret: str, address: str = "") -> Operator:
    """Return the operator behind a secret. Raises InvalidKeyError, RevokedKeyError or UnmigratedError."""
    if len(secret) > 200:
        raise InvalidKeyError()
    try:
        with transaction.atomic():
            key = OperatorKey.objects.filter(secret_hash=secrets.secret_hash(secret)).first()
    except ProgrammingError:
        refuse_unmigrated()  # the table itself may be still to come
        raise
    if key is None:
        raise InvalidKeyError(f"This operator's key is not valid. {_CURE}")
    if key.revoked_at is not None:
        raise RevokedKeyError(f"This operator's key was revoked. {_CURE}")
    _note_use(key, utc_now())
    return Operator(key.id, key.name, address)


def _note_use(key: OperatorKey, now: datetime) -> None:
    if key.last_used_at is not None and now - key.last_used_at <= USE_IS_NOTED_EVERY:
        return
    with suppress(DatabaseError), transaction.atomic():  # a database that cannot write still serves readers
        OperatorKey.objects.filter(id=key.id).update(last_used_at=now)


def _tell_workspaces(operator: Operator) -> None:
    """Add the end of the key to the record of each workspace that it made: a transaction for each, since no scope
    spans two workspaces."""
    for workspace in operator_workspaces(operator):
        caller = operator.workspace_caller(workspace.id)
        with workspace_scope(caller):
            record_event(
                caller=caller, action="operator_key.revoked", object_type="operator_key", object_id=operator.id
            )
