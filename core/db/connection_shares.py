"""Shares of the connection pool: one workspace or address never has more than half of what the pool gives, and two
never have all of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from threading import Condition

from psycopg_pool import PoolTimeout

from core.fair_shares import Shares, half


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

    The last quarter of the pool is for holders that have none. Slow calls together have half of the pool, so that the
    others always find connections. What no request asks for (start, telemetry) is not counted.
    """

    def __init__(self, size: int) -> None:
        self._all = Shares(size)
        self._slow = Shares(half(size))
        self._max_slow = half(size)
        self._changed = Condition()

    def take(self, borrower: Borrower, *, timeout: float) -> None:
        """Count one connection in, once the share has room. Raises ShareTimeoutError after `timeout` seconds."""
        with self._changed:
            if not self._changed.wait_for(lambda: self._has_room(borrower), timeout):
                raise ShareTimeoutError("Other requests of this holder have its share of the connections.")
            self._count_borrowed(borrower)

    def take_spare(self, borrower: Borrower) -> bool:
        """Count one connection in that a call can do without; return False, without waiting, where none is to spare."""
        with self._changed:
            if not (self._has_room(borrower) and self._all.has_spare(borrower.holder)):
                return False
            self._count_borrowed(borrower)
            return True

    def give_back(self, borrower: Borrower) -> None:
        """Count one connection out."""
        with self._changed:
            self._all.give_back(borrower.holder)
            if borrower.is_slow:
                self._slow.give_back(borrower.holder)
            self._changed.notify_all()

    def _count_borrowed(self, borrower: Borrower) -> None:
        self._all.take(borrower.holder)
        if borrower.is_slow:
            self._slow.take(borrower.holder)

    def _has_room(self, borrower: Borrower) -> bool:
        if not self._all.has_room(borrower.holder):
            return False
        return not borrower.is_slow or (self._slow.taken < self._max_slow and self._slow.has_room(borrower.holder))


@contextmanager
def borrowing(borrower: Borrower | None) -> Iterator[None]:
    """Inside, connections that this context borrows count for that borrower; for None they are not counted."""
    token = BORROWER.set(borrower)
    try:
        yield
    finally:
        BORROWER.reset(token)
