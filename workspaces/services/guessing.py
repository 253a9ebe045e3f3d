"""Slowing down whoever guesses passwords: so many failures for an e-mail or from an address, and then a pause."""

from __future__ import annotations

import logging

from core import redis
from core.errors import TooManyRequestsError
from core.redis import RedisUnavailableError

log = logging.getLogger(__name__)

# A person mistypes now and then; an office behind one address has many persons.
MOST_FOR_AN_EMAIL = 10
MOST_FROM_AN_ADDRESS = 100
SECONDS = 15 * 60


class TooManySignInsError(TooManyRequestsError):
    """So many sign-ins failed for this e-mail, or from this address, that the next ones have to wait."""

    code = "too_many_sign_ins"
    title = "Too many attempts to sign in have failed. Wait a little, then try again."


def refuse_guessing(*, email: str, address: str) -> None:
    """Raise TooManySignInsError after too many failures. Without Redis nobody is held up, and the log says so."""
    waits = [_wait(*failures) for failures in _counters(email, address)]
    if wait := max(waits):
        minutes = -(-wait // 60)
        raise TooManySignInsError(
            f"Too many attempts to sign in have failed. Try again in {minutes} min.", retry_after=wait
        )


def note_failure(*, email: str, address: str) -> None:
    """Count a failed attempt against both."""
    for key, _ in _counters(email, address):
        try:
            redis.count(key, seconds=SECONDS)
        except RedisUnavailableError:
            log.warning("sign_in_unlimited while counting a failure")


def note_success(*, email: str) -> None:
    """Forget the failures for an e-mail, whose owner knew the password. Those from the address stay."""
    redis.release(redis.sign_in_key("email", _same(email)))


def _counters(email: str, address: str) -> list[tuple[str, int]]:
    return [
        (redis.sign_in_key("email", _same(email)), MOST_FOR_AN_EMAIL),
        (redis.sign_in_key("address", address), MOST_FROM_AN_ADDRESS),
    ]


def _wait(key: str, most: int) -> int:
    try:
        number, seconds = redis.counted(key)
    except RedisUnavailableError:
        log.warning("sign_in_unlimited while looking at a counter")
        return 0
    return seconds if number >= most else 0


def _same(email: str) -> str:
    return email.strip().lower()
