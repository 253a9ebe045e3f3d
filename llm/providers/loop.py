"""One event loop for all model calls of a process, in a thread of its own, so that connections can be kept."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncGenerator, Coroutine, Generator
from concurrent.futures import Future
from contextlib import aclosing
from functools import lru_cache
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any, TypeVar

T = TypeVar("T")

_lock = Lock()


def run(coroutine: Coroutine[Any, Any, T]) -> T:
    """Wait for the coroutine's result; cancelling the wait cancels it."""
    running = _submit(coroutine)
    try:
        return running.result()
    finally:
        running.cancel()


def iterate(items: AsyncGenerator[T, None]) -> Generator[T, None, None]:
    """Yield the items as they come; closing the iterator cancels the rest."""
    waiting: SimpleQueue[tuple[T] | None] = SimpleQueue()

    async def pump() -> None:
        try:
            async with aclosing(items):
                async for item in items:
                    waiting.put((item,))
        finally:
            waiting.put(None)

    running = _submit(pump())
    try:
        while boxed := waiting.get():
            yield boxed[0]
        running.result()
    finally:
        running.cancel()


def _submit(coroutine: Coroutine[Any, Any, T]) -> Future[T]:
    # The lock keeps two first callers from starting two loops. A forked child has the parent's objects and not its
    # thread, so each process has its own.
    with _lock:
        loop = _start_loop(os.getpid())
    return asyncio.run_coroutine_threadsafe(coroutine, loop)


@lru_cache(maxsize=1)
def _start_loop(pid: int) -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    Thread(target=loop.run_forever, name=f"models-{pid}", daemon=True).start()
    return loop
