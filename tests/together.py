"""Doing things at the same moment, each in a thread with a database connection of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TypeVar

from django.db import connections

T = TypeVar("T")


def together(calls: Sequence[Callable[[], T]]) -> list[T]:
    """Start every call at once and answer what each returned, in order; the first error is raised."""
    start = Barrier(len(calls), timeout=30)

    def run(call: Callable[[], T]) -> T:
        start.wait()
        try:
            return call()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(calls)) as threads:
        return [running.result() for running in [threads.submit(run, call) for call in calls]]
