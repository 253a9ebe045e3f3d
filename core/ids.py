"""New identifiers: UUID version 7, so that rows sort by the time of their creation."""

from __future__ import annotations

import secrets
from datetime import datetime
from uuid import UUID

from uuid_utils.compat import uuid7


def new_id() -> UUID:
    """A UUID version 7 (RFC 9562): 48 bits of milliseconds, then random bits."""
    return uuid7()


def id_at(at: datetime) -> UUID:
    """A UUID version 7 that sorts as if it had been made at that moment."""
    milliseconds, noise = int(at.timestamp() * 1_000), secrets.randbits(74)
    return UUID(int=milliseconds << 80 | 7 << 76 | (noise >> 62) << 64 | 2 << 62 | noise & (1 << 62) - 1)
