"""Request bodies: read completely before a thread is taken, and bounded in size, duration, number and memory."""

from __future__ import annotations

import asyncio
import ipaddress
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
from core.http.parsing import BodyTooLargeError

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]

# A longer body than this goes to a temporary file while it arrives.
MAX_BYTES_IN_MEMORY = 65_536
# 64 kbit/s: what an upload must bring on average in each period of `Limits.seconds`.
MIN_BYTES_PER_SECOND = 8_192
BULK_BODIES_AT_ONCE = 64
# How long a body waits for a place of its address: a busy client's burst of whole bodies is through by then, and
# half-sent ones still have theirs. Meanwhile nothing of it is read, and it has no place among all bodies.
PLACE_SECONDS = 2.0


class BodyTimeoutError(ProductError):
    """The body came too slowly, or stopped in the middle."""

    code = "body_timeout"
    status = 408
    title = "The body of the request did not arrive in time. Send it again."


class TooManyUnfinishedBodiesError(TooManyRequestsError):
    """The address is sending as many bodies as one address may at the same time."""

    code = "too_many_unfinished_bodies"
    title = "Too many requests from this address are unfinished. Finish sending them, then try again."


class ClientLeftError(Exception):
    """The connection ended before the body did."""


@dataclass(frozen=True, slots=True)
class Limits:
    """`seconds`: one period of the deadline. `unfinished`, `unfinished_of_address`: bodies that are arriving.
    `held`: bytes of all bodies that arrive or are being answered.
    """

    seconds: float
    unfinished: int
    unfinished_of_address: int
    held: int

    @property
    def min_bytes(self) -> int:
        """The number of bytes that begins the next period."""
        return int(MIN_BYTES_PER_SECOND * self.seconds)


class RequestBodies:
    """All bodies of one process that are arriving or being answered. Used by the event loop's thread only."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._unfinished = 0
        # Of networks with bodies that arrive or wait; each semaphore lives as long as one of them.
        self._places: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()
        self._held = 0
        # Not the loop's own threads: these may all wait for the database.
        self._disk = ThreadPoolExecutor(2, thread_name_prefix="body")

    @asynccontextmanager
    async def received(self, receive: Receive, *, address: str, max_bytes: int) -> AsyncIterator[IO[bytes]]:
        """Yield the body at its beginning; it is closed afterwards.

        Raises BodyTooLargeError, BodyTimeoutError, TooManyUnfinishedBodiesError, OverloadedError, and ClientLeftError
        when there is no one left to answer.
        """
        body = _Body(self, max_bytes)
        try:
            async with self._counted(client_network(address)):
                await self._read(receive, body)
            yield body.file
        finally:
            self._held -= body.size
            body.file.close()

    @asynccontextmanager
    async def _counted(self, network: str) -> AsyncIterator[None]:
        places = self._places.setdefault(network, asyncio.Semaphore(self._limits.unfinished_of_address))
        try:
            async with asyncio.timeout(PLACE_SECONDS):
                await places.acquire()
        except TimeoutError as error:
            raise TooManyUnfinishedBodiesError(retry_after=max(1, round(self._limits.seconds))) from error
        try:
            if self._unfinished >= self._limits.unfinished:
                raise OverloadedError()
            self._unfinished += 1
            try:
                yield
            finally:
                self._unfinished -= 1
        finally:
            places.release()

    async def _read(self, receive: Receive, body: _Body) -> None:
        """Read to the end, with a deadline that moves by one period whenever `min_bytes` more have arrived."""
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(self._limits.seconds) as deadline:
                next_period_at = self._limits.min_bytes
                while await self._take(await receive(), body):
                    if body.size >= next_period_at:
                        next_period_at = body.size + self._limits.min_bytes
                        deadline.reschedule(loop.time() + self._limits.seconds)
        except TimeoutError as error:
            raise BodyTimeoutError() from error
        body.file.seek(0)

    async def _take(self, message: Message, body: _Body) -> bool:
        """Keep one piece, and return whether there is more to come."""
        if message["type"] == "http.disconnect":
            raise ClientLeftError
        if piece := message.get("body", b""):
            body.size += len(piece)
            self._held += len(piece)
            if body.size > body.max_bytes:
                raise BodyTooLargeError(f"The body is larger than {body.max_bytes:,} bytes.")
            if self._held > self._limits.held:
                raise OverloadedError()
            if body.size <= MAX_BYTES_IN_MEMORY:
                body.file.write(piece)
            else:
                await asyncio.get_running_loop().run_in_executor(self._disk, partial(body.write_to_disk, piece))
        return bool(message.get("more_body", False))


class _Body:
    """The file of one body: in memory as long as it is small."""

    def __init__(self, bodies: RequestBodies, max_bytes: int) -> None:
        self.file: IO[bytes] = BytesIO()
        self.max_bytes = max_bytes
        self.size = 0

    def write_to_disk(self, piece: bytes) -> None:
        try:
            if isinstance(self.file, BytesIO):
                small, self.file = self.file, TemporaryFile()  # noqa: SIM115  # closed by `received`
                self.file.write(small.getvalue())
            self.file.write(piece)
        except OSError as error:  # no space, or too many open files
            raise OverloadedError() from error


def client_network(address: str) -> str:
    """Return what counts as one client: an IPv4 address, or the /64 network that one IPv6 client has to itself."""
    if ":" not in address:
        return address
    try:
        return str(ipaddress.ip_network((address.partition("%")[0], 64), strict=False))
    except ValueError:
        return address


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
