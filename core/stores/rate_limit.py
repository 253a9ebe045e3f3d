"""Rate limits: how often something may happen in a window of time, counted in Redis for all processes together.

Counting is atomic: of several callers at the same moment, each sees another number. Without Redis nothing is counted;
whether every call or none passes then is the caller's decision.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from core.stores import redis


@dataclass(frozen=True, slots=True)
class RateLimit:
    """At most `max_count` in a window of `seconds`, counted under `key`.

    The window begins with the first count. An aligned one begins with the clock, at every multiple of `seconds`: one
    command less, which is for what every request counts.
    """

    key: str
    max_count: int
    seconds: int
    is_aligned: bool = False


@dataclass(frozen=True, slots=True)
class Usage:
    """The number of counts in the current window of a limit, and the seconds until that window ends."""

    limit: RateLimit
    number: int
    seconds_left: int

    @property
    def is_exceeded(self) -> bool:
        return self.number > self.limit.max_count


def count(limit: RateLimit) -> Usage:
    """Count once, whether or not the limit is reached. Raises RedisUnavailableError."""
    if not limit.is_aligned:
        return Usage(limit, *redis.count(limit.key, seconds=limit.seconds))
    now = int(time.time())
    # Kept for another window: clocks of several servers differ.
    number = redis.increment_counter(_counter(limit, now), seconds=2 * limit.seconds)
    return Usage(limit, number, limit.seconds - now % limit.seconds)


def count_all(limits: Sequence[RateLimit]) -> Usage | None:
    """Count once against each limit; where one is exceeded, return it and count against none.

    What is refused must not use up what others may still do. Raises RedisUnavailableError.
    """
    for place, limit in enumerate(limits):
        usage = count(limit)
        if usage.is_exceeded:
            uncount(limits[: place + 1])
            return usage
    return None


def uncount(limits: Sequence[RateLimit]) -> None:
    """Take one count back from each limit. Without Redis there is none."""
    now = int(time.time())
    for limit in limits:
        redis.uncount(_counter(limit, now), seconds=limit.seconds)


def forget(limit: RateLimit) -> None:
    """Begin again from zero. Without Redis there is nothing to forget."""
    redis.discard(_counter(limit, int(time.time())))


def _counter(limit: RateLimit, now: int) -> str:
    return f"{limit.key}:{now // limit.seconds}" if limit.is_aligned else limit.key
