"""Counters of attempts in PostgreSQL: sign-ins, exchanges of tokens, registrations of apps.

They have to hold against callers that fill Redis with values, where the keys that were not used longest make room for
new ones. Counting is one statement, committed at once: of several callers at the same moment each sees another number.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from django.db import connection

from core.stores.rate_limit import RateLimit, Usage
from workspaces.models import AttemptCounter

# The database's clock is the same for every host. A window begins with its first count.
_COUNT = """
INSERT INTO attempt_counters AS known (key, number, ends_at)
VALUES (%(key)s, 1, clock_timestamp() + make_interval(secs => %(seconds)s))
    ON CONFLICT (key) DO UPDATE SET
       number = CASE WHEN known.ends_at <= clock_timestamp() THEN 1 ELSE known.number + 1 END,
       ends_at = CASE WHEN known.ends_at <= clock_timestamp() THEN excluded.ends_at ELSE known.ends_at END
RETURNING number, greatest(1, ceil(extract(epoch FROM ends_at - clock_timestamp())))
"""
_UNCOUNT = "UPDATE attempt_counters SET number = number - 1 WHERE key = ANY(%(keys)s) AND number > 0"
_DELETE_EXPIRED = "DELETE FROM attempt_counters WHERE ends_at <= clock_timestamp()"


def attempt_key(kind: str, value: str) -> str:
    """Return the key of a counter for an e-mail, an address or a client, which cannot be read out of it."""
    return f"{kind}:{hashlib.sha256(value.encode('utf-8', 'replace')).hexdigest()[:32]}"


def count_all(limits: Sequence[RateLimit]) -> Usage | None:
    """Count once against each limit; where one is exceeded, return it and count against none.

    What is refused must not use up what others may still do.
    """
    for place, limit in enumerate(limits):
        usage = _count(limit)
        if usage.is_exceeded:
            uncount(limits[: place + 1])
            return usage
    return None


def uncount(limits: Sequence[RateLimit]) -> None:
    """Take one count back from each limit."""
    with connection.cursor() as cursor:
        cursor.execute(_UNCOUNT, {"keys": sorted(limit.key for limit in limits)})


def forget(limit: RateLimit) -> None:
    """Begin again from zero."""
    AttemptCounter.objects.filter(key=limit.key).delete()


def delete_expired() -> int:
    """Delete the counters whose window has ended; return their number."""
    with connection.cursor() as cursor:
        cursor.execute(_DELETE_EXPIRED)
        return int(cursor.rowcount)


def _count(limit: RateLimit) -> Usage:
    with connection.cursor() as cursor:
        cursor.execute(_COUNT, {"key": limit.key, "seconds": limit.seconds})
        number, left = cursor.fetchone() or (0, 0)
    return Usage(limit, int(number), int(left))
