"""Re-encryption of stored secrets under the current SECRET_KEY, row by row: it may be interrupted and repeated."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from core.crypto import UnreadableSecretError, decrypt, encrypt, is_current
from workspaces.access.callers import Caller
from workspaces.access.scope import workspace_scope
from workspaces.access.tenancy import TenantManager

BATCH = 200


@dataclass(slots=True)
class Reencryption:
    """Numbers of secrets: already under the current key, encrypted again, and readable with none of the keys."""

    current: int = 0
    renewed: int = 0
    unreadable: int = 0

    def add(self, other: Reencryption) -> None:
        self.current += other.current
        self.renewed += other.renewed
        self.unreadable += other.unreadable


def reencrypt(
    *,
    caller: Caller,
    rows: TenantManager[Any],
    column: str,
    purpose: Callable[[Any], str],
    is_rehearsal: bool,
) -> Reencryption:
    """Encrypt the secrets in `column` of the workspace's `rows` under SECRET_KEY, and return the numbers.

    Each batch of 200 rows is a transaction of its own. A secret that is replaced meanwhile stays as it was replaced,
    and one that none of the keys reads stays as it is. A rehearsal counts and changes nothing.
    """
    done, after = Reencryption(), UUID(int=0)
    while True:
        with workspace_scope(caller):
            mine = rows.of(caller).filter(id__gt=after).exclude(**{column: ""})
            batch = list(mine.order_by("id")[:BATCH])
            for row in batch:
                token = getattr(row, column)
                renewed = renew_token(token, purpose=purpose(row), done=done)
                if renewed and not is_rehearsal:
                    mine.filter(pk=row.pk, **{column: token}).update(**{column: renewed})
        if len(batch) < BATCH:
            return done
        after = batch[-1].pk


def renew_token(token: str, *, purpose: str, done: Reencryption) -> str:
    """Return the secret as a token of the current key, '' where that is not needed or not possible; count it."""
    if is_current(token, purpose=purpose):
        done.current += 1
        return ""
    try:
        secret = decrypt(token, purpose=purpose)
    except UnreadableSecretError:
        done.unreadable += 1
        return ""
    done.renewed += 1
    return encrypt(secret, purpose=purpose)
