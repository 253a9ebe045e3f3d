"""A limit to waiting for work in another thread."""

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


def within(seconds: float, work: Callable[[], Answer]) -> Answer:
    """Run `work` in another thread and wait for it at most that long. Raises DeadlineError, or what `work` raises.

    For work outside of the database: a database connection belongs to the thread that opened it.
    """
    future = _pool().submit(work)
    try:
        return future.result(timeout=seconds)
    except FutureTimeoutError as error:
        future.cancel()
        raise DeadlineError(f"No answer within {seconds:g} s.") from error


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(max_workers=THREADS, thread_name_prefix="deadline")
