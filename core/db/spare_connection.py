"""Reading on a second connection while the thread of a request goes on with its own."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from functools import cache
from typing import TypeVar

from django.db import connection

from core.db.base import pool_shares
from core.db.connection_shares import BORROWER, Borrower, ConnectionShares, borrowing

Answer = TypeVar("Answer")


def read_on_spare_connection(work: Callable[[], Answer]) -> Future[Answer] | None:
    """Start `work` in another thread, on a connection of its own; None, and nothing is started, where none is to spare.

    A connection is to spare where the pool has more than its last quarter left, and the caller's holder has not its
    half of it: then two calls never wait for the second connections of each other. The work sees what was committed
    before, so it is for reading, and never begins inside of a transaction.
    """
    pool, borrower = getattr(connection, "pool", None), BORROWER.get()
    if pool is None or borrower is None or connection.in_atomic_block:
        return None
    shares = pool_shares(pool)
    if not shares.take_spare(borrower):
        return None
    return _threads(pool.max_size).submit(copy_context().run, _work_and_give_back, work, shares, borrower)


def _work_and_give_back(work: Callable[[], Answer], shares: ConnectionShares, borrower: Borrower) -> Answer:
    try:
        with borrowing(None):  # it was counted when it was promised
            return work()
    finally:
        try:
            connection.close()
        finally:
            shares.give_back(borrower)


@cache
def _threads(most: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(max_workers=most, thread_name_prefix="spare-connection")
