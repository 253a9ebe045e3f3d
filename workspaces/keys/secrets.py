"""Secrets of keys and connected apps: how they are made, shown and compared. Nothing here touches the database."""

from __future__ import annotations

import hashlib
import hmac
import secrets

PREFIX = "oxa_live_"
# A token says by its first letters what it is, to the door and to a person who finds one where it should not be.
ACCESS_PREFIX = "oxa_app_"
REFRESH_PREFIX = "oxa_refresh_"
OPERATOR_PREFIX = "oxa_operator_"
CLIENT_SECRET_HASH_PREFIX = "sha256$"  # noqa: S105  # tells the hash from those of passwords


def new_secret() -> str:
    """Return a fresh secret: the prefix and 256 random bits in URL-safe base64."""
    return PREFIX + secrets.token_urlsafe(32)


def new_operator_secret() -> str:
    """Return the secret of an operator's key, which makes workspaces and opens none."""
    return OPERATOR_PREFIX + secrets.token_urlsafe(32)


def new_access_token(request: object) -> str:
    """Return what a connected app calls with, made when django-oauth-toolkit asks for one."""
    return ACCESS_PREFIX + secrets.token_urlsafe(32)


def new_refresh_token(request: object) -> str:
    """Return what a connected app gets its next access token with."""
    return REFRESH_PREFIX + secrets.token_urlsafe(32)


def secret_hash(secret: str) -> str:
    """SHA-256 in hex. The secret is 256 random bits, so a slow password hash would add nothing but latency."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def client_secret_hash(secret: str) -> str:
    """Return what is stored of an OAuth client's secret, which is as random as a key's."""
    return CLIENT_SECRET_HASH_PREFIX + secret_hash(secret)


def is_client_secret(secret: str, stored: str) -> bool:
    """Return whether a stored hash is that of this client secret; compared in constant time."""
    return hmac.compare_digest(client_secret_hash(secret).encode(), stored.encode())


def hint(secret: str) -> str:
    """Return the start of a secret that people may see to tell keys apart: four characters behind the prefix."""
    prefix = OPERATOR_PREFIX if secret.startswith(OPERATOR_PREFIX) else PREFIX
    return secret[: len(prefix) + 4]
