"""Deadlines for work in another thread, with a pool of threads for each kind of work.

Work that hangs keeps its thread beyond its deadline: what hangs in one pool, such as a name service, leaves the threads
of the others.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as FutureTimeoutError
from functools import cache
from typing import TypeVar

Answer = TypeVar("Answer")

THREADS = 8


class DeadlineError(Exception):
    """The answer did not come in time; the work may still be going on."""


def run_with_timeout(seconds: float, work: Callable[[], Answer], *, pool: str) -> Answer:
    """Run `work` in a thread of this pool and wait for it at most that long.

    Raises DeadlineError, or what `work` raises.

    For work outside of the database: a database connection belongs to the thread that opened it.
    """
    future = _threads(pool).submit(work)
    try:
        return future.result(timeout=seconds)
    except FutureTimeoutError as error:
        future.cancel()
        raise DeadlineError(f"No answer within {seconds:g} s.") from error


@cache
def _threads(pool: str) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(max_workers=THREADS, thread_name_prefix=f"deadline-{pool}")
