"""Time-based one-time passwords (RFC 6238: HMAC-SHA1, six digits, 30 seconds), as authenticator apps make them."""

from __future__ import annotations

import base64
import hmac
import secrets
from datetime import datetime
from hashlib import sha1
from urllib.parse import quote, urlencode

STEP_SECONDS = 30
DIGITS = 6
# The clock of a phone may be half a minute off, and typing takes a while.
STEPS_APART = 1


def new_secret() -> str:
    """Return 160 random bits in base32, as apps take them."""
    return base64.b32encode(secrets.token_bytes(20)).decode()


def make_code(secret: str, step: int) -> str:
    """Return the code of a step of 30 seconds (RFC 4226, section 5.3)."""
    digest = hmac.new(base64.b32decode(secret), step.to_bytes(8, "big"), sha1).digest()
    place = digest[-1] & 0x0F
    number = int.from_bytes(digest[place : place + 4], "big") & 0x7FFFFFFF
    return f"{number % 10**DIGITS:0{DIGITS}d}"


def find_step(secret: str, code: str, *, now: datetime) -> int | None:
    """Return the step whose code it is, of now and those next to it; None for another code."""
    given = "".join(code.split())
    if not (given.isascii() and given.isdigit() and len(given) == DIGITS):
        return None
    current = int(now.timestamp()) // STEP_SECONDS
    steps = range(current - STEPS_APART, current + STEPS_APART + 1)
    fitting = [step for step in steps if hmac.compare_digest(make_code(secret, step), given)]
    return max(fitting, default=None)


def app_address(secret: str, *, account: str, issuer: str) -> str:
    """Return the address that opens an authenticator app on a phone."""
    return f"otpauth://totp/{quote(f'{issuer}:{account}')}?{urlencode({'secret': secret, 'issuer': issuer})}"
