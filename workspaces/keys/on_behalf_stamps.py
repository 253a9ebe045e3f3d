"""Stamps: with which a backend says, in every call, for which of its users it acts.

A stamped key acts for no user without one, so that a forgotten argument reads no other user's memory. The header is

    X-On-Behalf-Of: <user> <minute> <code>

with the user's key percent-encoded (UTF-8), the minutes since 1970 (UTC), and the HMAC-SHA256 of `<user>\\n<minute>`
under the secret of the API key, in hexadecimal digits; there, the user is not encoded.
"""

from __future__ import annotations

import hmac
from datetime import datetime
from hashlib import sha256
from urllib.parse import quote, unquote

from core.errors import UnauthenticatedError
from workspaces.access.spaces import space_key

HEADER = "X-On-Behalf-Of"
# Clocks of two machines differ, and a call takes its time.
MINUTES_APART = 2


class StampRequiredError(UnauthenticatedError):
    """The key acts for a user whom every call names, and this one names none."""

    code = "stamp_required"
    title = f"This API key acts for one user at a time. Name the user in the header {HEADER}."


class InvalidStampError(UnauthenticatedError):
    """The stamp is not one, is of another minute, or was made with another key."""

    code = "invalid_stamp"
    title = f"The header {HEADER} is not valid: it has three parts, of this minute and made with this API key's secret."


class StampNotExpectedError(UnauthenticatedError):
    """The key is not stamped, so nothing would hold it to the user whom the header names."""

    code = "stamp_not_expected"
    title = f"This API key takes no header {HEADER}. Make a key that is stamped, or name the user in the call."


def make_stamp(*, secret: str, user: str, now: datetime) -> str:
    """Return the value of the header for a user, at this minute."""
    minute = int(now.timestamp()) // 60
    return f"{quote(user, safe='')} {minute} {_code(secret, user, minute)}"


def read_stamp(header: str, *, secret: str, now: datetime) -> str:
    """Return the user whom a header names.

    Raises StampRequiredError for an empty one, InvalidStampError for one that does not fit the secret or the time.
    """
    if not header:
        raise StampRequiredError()
    parts = header.split(" ")
    if len(parts) != 3 or not parts[1].isascii() or not parts[1].isdecimal() or len(parts[1]) > 12:
        raise InvalidStampError()
    user, minute = unquote(parts[0], errors="replace"), int(parts[1])
    is_ours = hmac.compare_digest(parts[2].lower().encode(), _code(secret, user, minute).encode())
    if not is_ours or abs(int(now.timestamp()) // 60 - minute) > MINUTES_APART:
        raise InvalidStampError()
    return space_key(user, field=HEADER)


def _code(secret: str, user: str, minute: int) -> str:
    return hmac.new(secret.encode(), f"{user}\n{minute}".encode(), sha256).hexdigest()
