"""New identifiers: UUID version 7, so that rows sort by the time of their creation."""

from __future__ import annotations

from uuid import UUID

from uuid_utils.compat import uuid7


def new_id() -> UUID:
    """A UUID version 7 (RFC 9562): 48 bits of milliseconds, then random bits."""
    return uuid7()
