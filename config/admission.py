"""Groups of threads: how many requests wait for one, and how many threads one holder has at the same time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, MutableMapping
from contextlib import asynccontextmanager, closing, suppress
from functools import partial
from typing import Any
from weakref import WeakValueDictionary

from core.http.admission import Admission, half

Wsgi = Callable[..., Any]
# Where the dispatcher leaves the body, a binary file, in the ASGI scope, and what to call when the thread is through.
BODY = "workspace-memory.body"
DONE = "workspace-memory.done"


class ThreadGroup:
    """Requests that wait for one of `threads` threads or have one; at most `max_requests`, and more are refused.

    One holder has at most half of either. Its other requests wait in the event loop, and not before those of other
    holders in the queue of the threads.
    """

    def __init__(self, *, max_requests: int, threads: int) -> None:
        self._admission = Admission(max_requests)
        self._threads_of_holder = half(threads)
        # Each semaphore lives as long as a request of its holder.
        self._turns: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()

    async def enter(self, scope: MutableMapping[str, Any], holder: str) -> None:
        """Admit a request, wait until its holder may have another thread, and leave in the scope what ends its turn.

        Raises TooManyAtOnceError, OverloadedError.
        """
        self._admission.admit(holder)
        turns = self._turns.setdefault(holder, asyncio.Semaphore(self._threads_of_holder))
        has_turn = False
        try:
            has_turn = await turns.acquire()
        finally:
            if not has_turn:
                self._admission.release(holder)
        scope[DONE] = partial(self._leave, holder, turns, asyncio.get_running_loop())

    @asynccontextmanager
    async def hold_turn(self, holder: str) -> AsyncIterator[None]:
        """Enter, and leave at the end. Raises as `enter` does."""
        turn: dict[str, Any] = {}
        await self.enter(turn, holder)
        try:
            yield
        finally:
            turn[DONE]()

    def _leave(self, holder: str, turns: asyncio.Semaphore, loop: asyncio.AbstractEventLoop) -> None:
        """Called by the request's thread, or by the event loop."""
        self._admission.release(holder)
        with suppress(RuntimeError):  # the loop is closed: nothing waits any more
            loop.call_soon_threadsafe(turns.release)


def finishing(application: Wsgi) -> Wsgi:
    """Return the WSGI application, which reads the body from the scope and ends the request's turn with its own work.

    How slowly a client reads the answer does not count.
    """

    def answer(environ: dict[str, Any], start_response: Any) -> Iterator[bytes]:
        scope = environ["asgi.scope"]
        try:
            environ["wsgi.input"] = scope[BODY]
            with closing(application(environ, start_response)) as pieces:
                yield from pieces
        finally:
            scope[DONE]()

    return answer
