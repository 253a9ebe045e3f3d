"""Groups of threads: how many requests wait for one, and how many threads one holder has at the same time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, MutableMapping
from contextlib import asynccontextmanager, closing, suppress
from functools import partial
from typing import Any

from core.fair_shares import Shares
from core.http.admission import Admission

Wsgi = Callable[..., Any]
# Where the dispatcher leaves the body, a binary file, in the ASGI scope, and what to call when the thread is through.
BODY = "workspace-memory.body"
DONE = "workspace-memory.done"


class ThreadGroup:
    """Requests that wait for one of `threads` threads or have one; at most `max_requests`, and more are refused.

    One holder has at most half of either, and the last quarter of the threads is for holders that have none. Other
    requests wait in the event loop, and not before those of other holders in the queue of the threads.
    """

    def __init__(self, *, max_requests: int, threads: int) -> None:
        self._admission = Admission(max_requests)
        self._turns = Shares(threads)
        self._waiting: list[tuple[str, asyncio.Future[None]]] = []

    async def enter(self, scope: MutableMapping[str, Any], holder: str) -> None:
        """Admit a request, wait until its holder may have another thread, and leave in the scope what ends its turn.

        Raises TooManyAtOnceError, OverloadedError.
        """
        self._admission.admit(holder)
        has_turn = False
        try:
            await self._take_turn(holder)
            has_turn = True
        finally:
            if not has_turn:
                self._admission.release(holder)
        scope[DONE] = partial(self._leave, holder, asyncio.get_running_loop())

    @asynccontextmanager
    async def hold_turn(self, holder: str) -> AsyncIterator[None]:
        """Enter, and leave at the end. Raises as `enter` does."""
        turn: dict[str, Any] = {}
        await self.enter(turn, holder)
        try:
            yield
        finally:
            turn[DONE]()

    async def _take_turn(self, holder: str) -> None:
        if self._turns.has_room(holder):
            self._turns.take(holder)
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.append((holder, turn))
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # it was given at the same moment
                self._end_turn(holder)
            else:
                self._waiting.remove((holder, turn))
            raise

    def _end_turn(self, holder: str) -> None:
        """Count a turn out, and give it to the first that may have it."""
        self._turns.give_back(holder)
        for waiting in list(self._waiting):
            holder, turn = waiting
            if not turn.done() and self._turns.has_room(holder):  # done is one that was just cancelled
                self._waiting.remove(waiting)
                self._turns.take(holder)
                turn.set_result(None)

    def _leave(self, holder: str, loop: asyncio.AbstractEventLoop) -> None:
        """Called by the request's thread, or by the event loop."""
        self._admission.release(holder)
        with suppress(RuntimeError):  # the loop is closed: nothing waits any more
            loop.call_soon_threadsafe(self._end_turn, holder)


def release_when_answered(application: Wsgi) -> Wsgi:
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
