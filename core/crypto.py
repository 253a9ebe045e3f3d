"""Keeping a secret that must be read again later: encrypted with keys that are derived from SECRET_KEY."""

from __future__ import annotations

import base64

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.utils.encoding import force_bytes


class UnreadableSecretError(Exception):
    """The secret was encrypted under another SECRET_KEY or for another purpose, or its row was tampered with."""


def encrypt(secret: str, *, purpose: str) -> str:
    """Return the secret as a token for the database. Only `decrypt` with the same `purpose` reads it again.

    Name the row in the purpose: a token that is copied to another row then cannot be read there.
    """
    return _cipher(purpose).encrypt(secret.encode()).decode()


def decrypt(token: str, *, purpose: str) -> str:
    """Return what `encrypt` was given. Raises UnreadableSecretError."""
    try:
        return _cipher(purpose).decrypt(token.encode()).decode()
    except InvalidToken:
        raise UnreadableSecretError("A stored secret cannot be read with this SECRET_KEY.") from None


def is_current(token: str, *, purpose: str) -> bool:
    """Return whether the secret is encrypted under SECRET_KEY itself, so that it needs none of SECRET_KEY_FALLBACKS."""
    try:
        Fernet(_key(settings.SECRET_KEY, purpose)).decrypt(token.encode())
    except InvalidToken:
        return False
    return True


def _cipher(purpose: str) -> MultiFernet:
    """Encrypts with SECRET_KEY and still reads what SECRET_KEY_FALLBACKS encrypted, so that the key can be changed."""
    return MultiFernet(
        [Fernet(_key(secret, purpose)) for secret in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)]
    )


def _key(secret: str | bytes, purpose: str) -> bytes:
    # RFC 5869 with `info` as the purpose. SECRET_KEY is random, so no slow password hash is needed.
    derived = HKDF(algorithm=SHA256(), length=32, salt=None, info=f"workspace-memory:{purpose}".encode())
    return base64.urlsafe_b64encode(derived.derive(force_bytes(secret)))
