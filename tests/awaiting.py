"""Waiting in a test: for a coroutine, and for what another thread or process does in its own time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

Answer = TypeVar("Answer")


def awaited(work: Coroutine[Any, Any, Answer]) -> Answer:
    """What the coroutine answers; in a thread of its own, since whatever drives a browser keeps a loop in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()  # noqa: TID251  # here it is alone


def comes_true(claim: Callable[[], object], *, seconds: float = 60.0) -> bool:
    """Whether the claim holds, now or as soon as a busy machine gets there."""
    until = time.monotonic() + seconds
    while not claim():
        if time.monotonic() > until:
            return False
        time.sleep(0.02)
    return True
