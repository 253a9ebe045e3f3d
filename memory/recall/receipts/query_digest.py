"""The digest of a question, by which a receipt knows it again. Pure."""

from __future__ import annotations

import hashlib


def hash_query(query: str) -> str:
    """Return the SHA-256 of a question, as hexadecimal digits."""
    return hashlib.sha256(query.encode()).hexdigest()
