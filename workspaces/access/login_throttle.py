"""Limits on guessing passwords and client secrets: failures per subject and per address, and then a pause.

An attempt is counted before it is checked, and taken back when it succeeds: attempts at the same moment cannot all be
checked before the first of them was counted.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from core.errors import TooManyRequestsError
from core.stores import redis
from core.stores.redis import RedisUnavailableError

log = logging.getLogger(__name__)

# A person mistypes now and then; an office behind one address has many persons.
MAX_FOR_AN_EMAIL = 10
MAX_FROM_AN_ADDRESS = 100
SECONDS = 15 * 60

# Programs do not mistype; those behind one address are many.
MAX_FAILURES_OF_A_CLIENT = 10
MAX_EXCHANGES_FAILED_FROM_AN_ADDRESS = 100

# A secret that was hashed like a password costs half a second of a processor to check.
MAX_SLOW_CHECKS, SLOW_CHECK_SECONDS = 6, 60


class TooManySignInsError(TooManyRequestsError):
    """So many sign-ins failed for this e-mail, or from this address, that the next ones have to wait."""

    code = "too_many_sign_ins"
    title = "Too many attempts to sign in have failed. Wait a little, then try again."


class TooManyExchangesError(TooManyRequestsError):
    """So many exchanges at the token endpoint failed for this client, or from this address, that the next ones wait."""

    code = "too_many_exchanges"
    title = "Too many requests for tokens have failed. Wait a little, then try again."


@dataclass(frozen=True, slots=True)
class Limit:
    """A counter in Redis, how many failures it lets through, and for how many seconds it counts."""

    key: str
    most: int
    seconds: int = SECONDS


def count_sign_in(*, email: str, address: str) -> None:
    """Count an attempt to sign in, before the password is checked. Raises TooManySignInsError.

    Without Redis nothing is counted, and the log says so.
    """
    try:
        wait = _count(_sign_in_limits(email, address))
    except RedisUnavailableError:
        log.warning("sign_in_unlimited while counting an attempt")
        return
    if wait:
        minutes = -(-wait // 60)
        raise TooManySignInsError(
            f"Too many attempts to sign in have failed. Try again in {minutes} min.", retry_after=wait
        )


def note_sign_in(*, email: str, address: str) -> None:
    """Forget the failures for an e-mail, whose owner knew the password. Those from the address stay."""
    of_email, from_address = _sign_in_limits(email, address)
    redis.release(of_email.key)
    redis.uncount(from_address.key, seconds=from_address.seconds)


def count_exchange(*, client_id: str, address: str) -> None:
    """Count a request for tokens, before it is looked at. Raises TooManyExchangesError.

    A client is counted for each address by itself: knowing its id is not enough to keep it from its tokens. Without
    Redis nothing is counted, and the log says so.
    """
    try:
        wait = _count(_exchange_limits(client_id, address))
    except RedisUnavailableError:
        log.warning("exchange_unlimited while counting an attempt")
        return
    if wait:
        raise TooManyExchangesError(retry_after=wait)


def note_exchange(*, client_id: str, address: str) -> None:
    """Take back what `count_exchange` counted: the exchange succeeded."""
    _uncount(_exchange_limits(client_id, address))


def count_slow_check() -> None:
    """Count a check of a secret with a slow hash. Raises TooManyExchangesError, also when Redis cannot count.

    All clients share the limit: by client, three wrong secrets a minute would keep a client from its tokens.
    """
    try:
        wait = _count([Limit(redis.exchange_key("slow", "all"), MAX_SLOW_CHECKS, SLOW_CHECK_SECONDS)])
    except RedisUnavailableError:
        wait = SLOW_CHECK_SECONDS
    if wait:
        raise TooManyExchangesError(retry_after=wait)


def _sign_in_limits(email: str, address: str) -> list[Limit]:
    return [
        Limit(redis.sign_in_key("email", email.strip().lower()), MAX_FOR_AN_EMAIL),
        Limit(redis.sign_in_key("address", address), MAX_FROM_AN_ADDRESS),
    ]


def _exchange_limits(client_id: str, address: str) -> list[Limit]:
    return [
        Limit(redis.exchange_key("client", f"{address} {client_id}"), MAX_FAILURES_OF_A_CLIENT),
        Limit(redis.exchange_key("address", address), MAX_EXCHANGES_FAILED_FROM_AN_ADDRESS),
    ]


def _count(limits: Sequence[Limit]) -> int:
    """Count an attempt against all limits; return the seconds to wait where one is reached, and then count none.

    Raises RedisUnavailableError.
    """
    for place, limit in enumerate(limits):
        number, left = redis.count(limit.key, seconds=limit.seconds)
        if number > limit.most:
            # What is refused is not checked: it must not use up what others may still fail.
            _uncount(limits[: place + 1])
            return left
    return 0


def _uncount(limits: Sequence[Limit]) -> None:
    for limit in limits:
        redis.uncount(limit.key, seconds=limit.seconds)
