"""Rate limits: how often something may happen in a window of time, counted in Redis for all processes together.

Counting is atomic: of several callers at the same moment, each sees another number. Without Redis nothing is counted;
whether every call or none passes then is the caller's decision. What must hold when Redis is lost or full is
counted in PostgreSQL (`workspaces/access/attempt_counters.py`).
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from core.stores import redis


@dataclass(frozen=True, slots=True)
class RateLimit:
    """At most `max_count` in a window of `seconds`, counted under `key`."""

    key: str
    max_count: int
    seconds: int


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
    """Count once, whether or not the limit is reached. Raises RedisUnavailableError.

    The window begins with the clock, at every multiple of `seconds`: one command, for what every request counts.
    """
    now = int(time.time())
    # Kept for another window: clocks of several servers differ.
    number = redis.increment_counter(f"{limit.key}:{now // limit.seconds}", seconds=2 * limit.seconds)
    return Usage(limit, number, limit.seconds - now % limit.seconds)
