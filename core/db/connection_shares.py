"""Shares of the connection pool: one workspace or address never has more than half of what the pool gives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from threading import Condition

from psycopg_pool import PoolTimeout


@dataclass(frozen=True, slots=True)
class Borrower:
    """For whom a request borrows a connection, and whether it is one of those that may keep it for long."""

    holder: str
    is_slow: bool = False


BORROWER: ContextVar[Borrower | None] = ContextVar("borrower", default=None)


class ShareTimeoutError(PoolTimeout):
    """The holder had its share of the connections for as long as a call waits."""


class ConnectionShares:
    """What is lent, in all and for each holder. A call beyond its share waits in its own thread.

    Slow calls together have half of the pool, so that the others always find connections; those of one holder have
    half of that half. What no request asks for (start, telemetry) is not counted.
    """

    def __init__(self, size: int) -> None:
        self._of_holder = _half(size)
        self._of_slow_calls = _half(size)
        self._of_slow_calls_of_holder = _half(self._of_slow_calls)
        self._lent: Counter[Borrower] = Counter()
        self._changed = Condition()

    def take(self, borrower: Borrower, *, timeout: float) -> None:
        """Count one connection in, once the share has room. Raises ShareTimeoutError after `timeout` seconds."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._has_room(borrower), timeout):
                raise ShareTimeoutError("Other requests of this holder have its share of the connections.")
            self._lent[borrower] += 1

    def give_back(self, borrower: Borrower) -> None:
        """Count one connection out."""
        with self._changed:
            self._lent[borrower] -= 1
            if not self._lent[borrower]:
                del self._lent[borrower]
            self._changed.notify_all()

    def _has_room(self, borrower: Borrower) -> bool:
        slow = Borrower(borrower.holder, is_slow=True)
        if self._lent[slow] + self._lent[Borrower(borrower.holder)] >= self._of_holder:
            return False
        if not borrower.is_slow:
            return True
        of_slow_calls = sum(lent for each, lent in self._lent.items() if each.is_slow)
        return of_slow_calls < self._of_slow_calls and self._lent[slow] < self._of_slow_calls_of_holder


@contextmanager
def borrowing(borrower: Borrower) -> Iterator[None]:
    """Inside, connections that this context borrows count for that borrower."""
    token = BORROWER.set(borrower)
    try:
        yield
    finally:
        BORROWER.reset(token)


def _half(size: int) -> int:
    return -(-size // 2)
