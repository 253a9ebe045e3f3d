"""Workspaces of credentials that were valid a while ago: for whom to count a request before it is looked at.

This opens nothing: a credential is checked at every call, by the database. Secrets are kept as digests.
"""

from __future__ import annotations

import hashlib
from threading import Lock
from uuid import UUID

from cachetools import TTLCache

REMEMBERED, REMEMBERED_SECONDS = 10_000, 600.0

_workspaces: TTLCache[bytes, UUID] = TTLCache(maxsize=REMEMBERED, ttl=REMEMBERED_SECONDS)
_lock = Lock()


def remember_credential(secret: str, workspace_id: UUID) -> None:
    """Note that a secret was valid just now, and for which workspace."""
    with _lock:
        _workspaces[_digest(secret)] = workspace_id


def forget_credential(secret: str) -> None:
    """Note that a secret was refused: from now on its requests count for the address that they come from."""
    with _lock:
        _workspaces.pop(_digest(secret), None)


def find_workspace(authorization: str) -> UUID | None:
    """Return the workspace of a bearer token in an Authorization header, if it was valid within ten minutes."""
    scheme, _, secret = authorization.partition(" ")
    if scheme.lower() != "bearer":
        return None
    with _lock:
        return _workspaces.get(_digest(secret.strip()))


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode("utf-8", "replace")).digest()
