"""Limits to waiting: for work in another thread, and for a statement of PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as FutureTimeoutError
from contextlib import contextmanager
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


@contextmanager
def statement_limit(seconds: float) -> Iterator[None]:
    """PostgreSQL gives up on a statement of this transaction after so long. The old limit returns at its end."""
    from django.db import connection  # embedding, which has deadlines too, does without Django

    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('statement_timeout', %s, true)", [f"{int(seconds * 1000)}ms"])
    yield
