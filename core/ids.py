"""New identifiers: UUID version 7, so that rows sort by the time of their creation."""

from __future__ import annotations

import hashlib
import secrets
from datetime import datetime
from uuid import UUID

from uuid_utils.compat import uuid7


def new_id() -> UUID:
    """Return a UUID version 7 (RFC 9562): 48 bits of milliseconds, then random bits."""
    return uuid7()


def new_id_following(other: UUID | None) -> UUID:
    """Return the same, that sorts after another one also where that came from a clock which was ahead."""
    made = new_id()
    return made if other is None or made > other else UUID(int=other.int + 1)


def id_from_time(at: datetime) -> UUID:
    """Return a UUID version 7 that sorts as if it had been made at that moment."""
    return _id(at, secrets.randbits(74))


def id_from_name(at: datetime, name: bytes) -> UUID:
    """Return the same, always the same one for a name and a moment: 74 bits of the name's SHA-256 instead of random
    ones."""
    return _id(at, int.from_bytes(hashlib.sha256(name).digest()) >> 256 - 74)


def parse_id(value: object) -> UUID | None:
    """Return the id that a value is, or is written as; None for what is not a UUID."""
    try:
        return UUID(str(value))
    except ValueError:
        return None


def abbreviate_id(text: str) -> str:
    """Return the end of an id, since ids of one minute share their beginning; any other text as it is."""
    return f"…{text[-8:]}" if parse_id(text) else text


def _id(at: datetime, noise: int) -> UUID:
    milliseconds = int(at.timestamp() * 1_000)
    return UUID(int=milliseconds << 80 | 7 << 76 | (noise >> 62) << 64 | 2 << 62 | noise & (1 << 62) - 1)
