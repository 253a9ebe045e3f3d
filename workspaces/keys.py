"""API key secrets: how they are made, shown and compared. Nothing here touches the database."""

from __future__ import annotations

import hashlib
import secrets

PREFIX = "oxa_live_"


def new_secret() -> str:
    """A fresh secret: the prefix and 256 random bits in URL-safe base64."""
    return PREFIX + secrets.token_urlsafe(32)


def secret_hash(secret: str) -> str:
    """SHA-256 in hex. The secret is 256 random bits, so a slow password hash would add nothing but latency."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def hint(secret: str) -> str:
    """The start of a secret that people may see to tell keys apart."""
    return secret[: len(PREFIX) + 4]
