"""Request bodies: read completely before a thread is taken, and bounded in size, duration, number and memory."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from io import BytesIO
from tempfile import TemporaryFile
from typing import IO, Any
from weakref import WeakValueDictionary

from core.errors import OverloadedError, ProductError, TooManyRequestsError
from core.http.body_parsers import BodyTooLargeError
from workspaces.access.client_address import client_network

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]

# A longer body than this goes to a temporary file while it arrives.
MAX_BYTES_IN_MEMORY = 65_536
# 64 kbit/s: what an upload must bring on average in each period of `Limits.seconds`.
MIN_BYTES_PER_SECOND = 8_192
# What any body may take altogether, however steadily it comes: no sender holds a place for longer.
MAX_BODY_SECONDS = 300.0
BULK_BODIES_AT_ONCE = 64
# Of all bytes: a sender that holds at most this part of them has its small bodies taken, whatever others hold.
LITTLE = 1 / 16
# How long a body waits for a place of its address: a busy client's burst of whole bodies is through by then, and
# half-sent ones still have theirs. Meanwhile nothing of it is read, and it has no place among all bodies.
PLACE_SECONDS = 2.0


class BodyTimeoutError(ProductError):
    """The body came too slowly, or stopped in the middle."""

    code = "body_timeout"
    status = 408
    title = "The body of the request did not arrive in time. Send it again."


class TooManyUnfinishedBodiesError(TooManyRequestsError):
    """The address, or the workspace, is sending as many bodies as one may at the same time."""

    code = "too_many_unfinished_bodies"
    title = "Too many requests of this address or workspace are unfinished. Finish sending them, then try again."


class ClientLeftError(Exception):
    """The connection ended before the body did."""


@dataclass(frozen=True, slots=True)
class Limits:
    """`seconds`: one period of the deadline. `unfinished`, `unfinished_of_address`: bodies that are arriving.
    `held`: bytes of all bodies that arrive or are being answered, of which one sender has at most half. Small bodies of
    those who hold little are taken beyond it: their number is bounded, by that of the places.
    `whole_seconds`: all periods of a body together.
    """

    seconds: float
    unfinished: int
    unfinished_of_address: int
    held: int
    whole_seconds: float = MAX_BODY_SECONDS

    @property
    def min_bytes(self) -> int:
        """The number of bytes that begins the next period."""
        return int(MIN_BYTES_PER_SECOND * self.seconds)


class RequestBodies:
    """All bodies of one process that are arriving or being answered. Used by the event loop's thread only.

    A body counts for its senders: the network that it comes from, and the workspace of its credential.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        # Those that arrive, in the order in which they began.
        self._arriving: dict[_Body, None] = {}
        # Of networks with bodies that arrive or wait; each semaphore lives as long as one of them.
        self._places: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()
        self._held: Counter[str] = Counter()  # bytes by sender
        self._held_by_all = 0
        # Not the loop's own threads: these may all wait for the database.
        self._disk = ThreadPoolExecutor(2, thread_name_prefix="body")

    @asynccontextmanager
    async def receive_body(
        self, receive: Receive, *, address: str, max_bytes: int, holder: str = ""
    ) -> AsyncIterator[IO[bytes]]:
        """Yield the body at its beginning; it is closed afterwards. `holder` is for whom the request is counted, if not
        for its network alone.

        Raises BodyTooLargeError, BodyTimeoutError, TooManyUnfinishedBodiesError, OverloadedError, and ClientLeftError
        when there is no one left to answer.
        """
        body = _Body(client_network(address), holder, max_bytes)
        try:
            async with self._count_unfinished(body):
                await self._read(receive, body)
            yield body.file
        finally:
            self._release_bytes(body)
            body.file.close()

    @asynccontextmanager
    async def _count_unfinished(self, body: _Body) -> AsyncIterator[None]:
        places = self._places.setdefault(body.network, asyncio.Semaphore(self._limits.unfinished_of_address))
        try:
            async with asyncio.timeout(PLACE_SECONDS):
                await places.acquire()
        except TimeoutError as error:
            raise TooManyUnfinishedBodiesError(retry_after=max(1, round(self._limits.seconds))) from error
        try:
            if len(self._arriving) >= self._limits.unfinished:
                self._make_room(body, Counter(sender for each in self._arriving for sender in each.senders))
            self._arriving[body] = None
            try:
                yield
            finally:
                self._arriving.pop(body, None)
        finally:
            places.release()

    async def _read(self, receive: Receive, body: _Body) -> None:
        """Read to the end, with a deadline that moves by one period whenever `min_bytes` more have arrived."""
        loop = asyncio.get_running_loop()
        last = body.begun_at + max(self._limits.whole_seconds, self._limits.seconds)
        try:
            async with asyncio.timeout(self._limits.seconds) as body.deadline:
                next_period_at = self._limits.min_bytes
                while await self._take(await receive(), body):
                    if body.size >= next_period_at and not body.is_evicted:
                        next_period_at = body.size + self._limits.min_bytes
                        body.deadline.reschedule(min(loop.time() + self._limits.seconds, last))
        except TimeoutError as error:
            if body.is_evicted:
                raise OverloadedError() from error
            raise BodyTimeoutError() from error
        body.file.seek(0)

    def _make_room(self, newcomer: _Body, shares: Counter[str]) -> None:
        """End the slowest body of the sender that has most. Raises OverloadedError when the newcomer has most.

        Slow senders, however many, do not keep others out: a sender that holds less gets the place of one of theirs.
        """
        most = max((each.share(shares) for each in self._arriving), default=0)
        if newcomer.share(shares) >= most:
            raise OverloadedError()
        now = asyncio.get_running_loop().time()
        largest = (each for each in self._arriving if each.share(shares) == most)
        slowest = min(largest, key=lambda each: each.rate(now))
        del self._arriving[slowest]
        self._release_bytes(slowest)
        if not slowest.deadline.expired():  # else it is about to leave anyway
            slowest.is_evicted = True
            slowest.deadline.reschedule(now)

    def _count_bytes(self, body: _Body, added: int) -> None:
        """Count what arrived of a body. Raises BodyTooLargeError, TooManyUnfinishedBodiesError, OverloadedError."""
        self._held_by_all += added
        for sender in body.senders:
            self._held[sender] += added
        body.held += added
        body.size += added
        if body.size > body.max_bytes:
            raise BodyTooLargeError(f"The body is larger than {body.max_bytes:,} bytes.")
        share = body.share(self._held)  # those that wait for their answer as well
        if share > self._limits.held // 2:
            raise TooManyUnfinishedBodiesError(retry_after=max(1, round(self._limits.seconds)))
        is_little = body.size <= MAX_BYTES_IN_MEMORY and share <= self._limits.held * LITTLE
        if self._held_by_all > self._limits.held and not is_little:
            self._make_room(body, self._held)

    def _release_bytes(self, body: _Body) -> None:
        self._held_by_all -= body.held
        for sender in body.senders:
            self._held[sender] -= body.held
            if not self._held[sender]:
                del self._held[sender]
        body.held = 0

    async def _take(self, message: Message, body: _Body) -> bool:
        """Keep one piece, and return whether there is more to come."""
        if message["type"] == "http.disconnect":
            raise ClientLeftError
        if piece := message.get("body", b""):
            self._count_bytes(body, len(piece))
            if body.size <= MAX_BYTES_IN_MEMORY:
                body.file.write(piece)
            else:
                await asyncio.get_running_loop().run_in_executor(self._disk, partial(body.write_to_disk, piece))
        return bool(message.get("more_body", False))


class _Body:
    """The file of one body: in memory as long as it is small."""

    def __init__(self, network: str, holder: str, max_bytes: int) -> None:
        self.file: IO[bytes] = BytesIO()
        self.network = network
        self.senders = {f"network {network}", holder or f"network {network}"}
        self.max_bytes = max_bytes
        self.size = 0
        self.held = 0  # the bytes that count for its senders
        self.begun_at = asyncio.get_running_loop().time()
        self.deadline = asyncio.Timeout(None)
        self.is_evicted = False

    def share(self, shares: Counter[str]) -> int:
        """Return what the larger one of its senders has."""
        return max(shares[sender] for sender in self.senders)

    def rate(self, now: float) -> float:
        """Return the bytes per second so far."""
        return self.size / max(now - self.begun_at, 0.001)

    def write_to_disk(self, piece: bytes) -> None:
        try:
            if isinstance(self.file, BytesIO):
                small, self.file = self.file, TemporaryFile()  # noqa: SIM115  # closed by `receive_body`
                self.file.write(small.getvalue())
            self.file.write(piece)
        except OSError as error:  # no space, or too many open files
            raise OverloadedError() from error


def replay_body(body: IO[bytes], receive: Receive) -> Receive:
    """Return a `receive` that yields a body that is already here, then what follows on the connection."""
    is_over = False

    async def read() -> Message:
        nonlocal is_over
        if is_over:
            return await receive()
        piece = body.read(MAX_BYTES_IN_MEMORY)
        is_over = len(piece) < MAX_BYTES_IN_MEMORY
        return {"type": "http.request", "body": piece, "more_body": not is_over}

    return read
