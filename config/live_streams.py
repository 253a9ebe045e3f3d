"""Streams of live events after the answer of their view: many viewers, one reader of Valkey, no thread of a request.

The view answers what a client has missed and leaves a feed in the ASGI scope. Here the answer stays open.
"""

from __future__ import annotations

import asyncio
import signal
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from types import FrameType
from typing import Any
from uuid import UUID

from config.client_disconnect import Message, Receive, Scope, Send
from core.stores.redis import RedisUnavailableError, read_events
from telemetry.live.live_event import StoredEvent
from telemetry.live.services.feeds import FEED, Feed

# How often the rings of all viewed workspaces are read, in one exchange.
SECONDS = 0.25
READ_AT_ONCE = 500
HEARTBEAT_SECONDS = 15.0
# A client connects again after this, with its credentials: revoked keys and members who left see no more by then.
MAX_SECONDS = 60.0
# A client with this many pieces waiting, or that takes nothing for this long, is dropped; it may connect again.
MAX_QUEUED = 100
STALLED_SECONDS = 10.0
HEARTBEAT = b": \n\n"

Read = Callable[..., Mapping[UUID, list[tuple[str, str]]]]


class Viewer:
    """A client that waits for events; its queue is emptied by its own task."""

    def __init__(self, feed: Feed) -> None:
        self.feed = feed
        self._pieces: asyncio.Queue[bytes | None] = asyncio.Queue(MAX_QUEUED)

    def give(self, events: list[StoredEvent], encoded: Mapping[str, bytes]) -> None:
        """Queue what is new to the viewer and passes its filter."""
        fresh = [one for one in events if parse_place(one.id) > parse_place(self.feed.last_id)]
        if piece := b"".join(encoded[one.id] for one in fresh if self.feed.filter.passes(one.event)):
            try:
                self._pieces.put_nowait(piece)
            except asyncio.QueueFull:
                self.end()

    def end(self) -> None:
        """End the stream, before what is still queued."""
        while not self._pieces.empty():
            self._pieces.get_nowait()
        self._pieces.put_nowait(None)

    async def next_piece(self, until: float) -> bytes | None:
        """Return the next piece, a heartbeat where nothing happens, or None at the end."""
        left = until - time.monotonic()
        if left <= 0:
            return None
        try:
            async with asyncio.timeout(min(HEARTBEAT_SECONDS, left)):
                return await self._pieces.get()
        except TimeoutError:
            return HEARTBEAT


class LiveStreams:
    """The open streams of one process, and the task that reads for all of them while there are any."""

    def __init__(self, *, read: Read = read_events) -> None:
        self._read = read
        self._viewers: set[Viewer] = set()
        self._reader: asyncio.Task[None] | None = None
        # One exchange at a time, in a thread of its own: those of the event loop are few.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="live-reader")
        self._loop: asyncio.AbstractEventLoop | None = None
        self._is_stopping = False

    async def answer(self, application: Any, scope: Scope, receive: Receive, send: Send) -> None:
        """Have a request answered; where its view left a feed, go on with that until the client leaves."""
        is_open = False

        async def hold_open(message: Message) -> None:
            nonlocal is_open
            if FEED in scope:
                if message["type"] == "http.response.start":
                    is_open = message["status"] == 200
                elif is_open and not message.get("more_body"):
                    message = {**message, "more_body": True}
            await send(message)

        try:
            await application(scope, receive, hold_open)
            if is_open:
                await self._follow(scope[FEED], receive, send)
        finally:
            if feed := scope.pop(FEED, None):
                feed.close()

    def stop(self) -> None:
        """End every stream; from any thread, or from a signal's handler."""
        self._is_stopping = True
        if self._loop is not None:
            with suppress(RuntimeError):  # the loop is closed
                self._loop.call_soon_threadsafe(self._end_all)

    def _end_all(self) -> None:
        for viewer in self._viewers:
            viewer.end()

    async def _follow(self, feed: Feed, receive: Receive, send: Send) -> None:
        viewer = Viewer(feed)
        self._loop = asyncio.get_running_loop()
        self._viewers.add(viewer)
        if self._reader is None or self._reader.done():
            self._reader = asyncio.create_task(self._read_for_all())
        listener = asyncio.create_task(_end_when_left(viewer, receive))
        until = time.monotonic() + MAX_SECONDS
        try:
            while not self._is_stopping and (piece := await viewer.next_piece(until)) is not None:
                async with asyncio.timeout(STALLED_SECONDS):
                    await send({"type": "http.response.body", "body": piece, "more_body": True})
            await send({"type": "http.response.body", "body": b""})
        except TimeoutError:
            return  # it takes nothing: the server closes the connection
        finally:
            listener.cancel()
            self._viewers.discard(viewer)

    async def _read_for_all(self) -> None:
        loop = asyncio.get_running_loop()
        while self._viewers:
            after: dict[UUID, str] = {}
            for viewer in self._viewers:
                feed = viewer.feed
                known = after.get(feed.workspace_id, feed.last_id)
                after[feed.workspace_id] = min(known, feed.last_id, key=parse_place)
            with suppress(RedisUnavailableError):  # the view waits; heartbeats go on
                read = partial(self._read, after, most=READ_AT_ONCE)
                self._give(after, await loop.run_in_executor(self._thread, read))
            await asyncio.sleep(SECONDS)

    def _give(self, after: Mapping[UUID, str], found: Mapping[UUID, list[tuple[str, str]]]) -> None:
        for workspace_id, entries in found.items():
            if not entries:
                continue
            events = [one for one in (StoredEvent.parse(*entry) for entry in entries) if one is not None]
            viewers = [one for one in self._viewers if one.feed.workspace_id == workspace_id]
            encoded = {one.id: viewers[0].feed.encode(one) for one in events if viewers}
            last_id = entries[-1][0]
            begin = parse_place(after[workspace_id])
            for viewer in viewers:
                if parse_place(viewer.feed.last_id) < begin:  # it came meanwhile, and reads on from there
                    continue
                viewer.give(events, encoded)
                viewer.feed.last_id = max(viewer.feed.last_id, last_id, key=parse_place)


def parse_place(identity: str) -> tuple[int, int]:
    """Return what orders the ids of events: milliseconds, and the number within one."""
    milliseconds, _, number = identity.partition("-")
    return int(milliseconds), int(number or 0)


def stop_streams_at_signals(stop: Callable[[], None]) -> None:
    """End the streams when a signal stops the process: the server waits for open answers before it does.

    What handled these signals before goes on to do so. Only the main thread may set handlers.
    """
    if threading.current_thread() is not threading.main_thread():
        return
    for number in (signal.SIGINT, signal.SIGTERM):
        before = signal.getsignal(number)
        if not callable(before) or before is signal.default_int_handler:  # no server waits for answers
            continue

        def handle(received: int, frame: FrameType | None, before: Callable[..., Any] = before) -> None:
            stop()
            before(received, frame)

        signal.signal(number, handle)


async def _end_when_left(viewer: Viewer, receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    viewer.end()
