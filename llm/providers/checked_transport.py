"""HTTP transport to providers, which are not trusted: it connects to checked addresses only, and reads no more of an
answer than a bound."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any

from django.conf import settings
from httpcore2 import AnyIOBackend, AsyncConnectionPool, AsyncNetworkBackend, AsyncNetworkStream, ConnectError
from httpx2 import (
    AsyncByteStream,
    AsyncClient,
    AsyncHTTPTransport,
    Limits,
    ReadError,
    Request,
    Response,
    create_ssl_context,
)

from core.http.egress import RefusedAddressError, allowed_hosts, refuse_odd_host, resolve, select_permitted
from core.text.json_limits import count_values

MEBIBYTE = 1024 * 1024
# What the libraries read whole: the longest answer has some 64,000 tokens, and an error a few sentences. In a stream
# each token has an event around it, of some 250 bytes.
MAX_ANSWER_BYTES, MAX_STREAM_BYTES, MAX_ERROR_BYTES = 4 * MEBIBYTE, 16 * MEBIBYTE, MEBIBYTE // 16
EVENT_STREAM = "text/event-stream"
# The libraries make an object of each, 70 µs in the event loop; a real answer has some dozens, and its text is one.
MAX_ANSWER_VALUES = 5_000
# Of a stream each token has two or three, which may end in two characters. Lines of nothing cost as much as others:
# 16 MiB of them took the event loop for a quarter of a minute.
MAX_ANSWER_LINES = 400_000


class AnswerRefusedError(ReadError):
    """The provider's answer is longer, or has more parts, than any that is read, or is compressed."""


class AddressRefusedError(ConnectError):
    """The provider's name leads, at the moment of the call, to an address that calls must not go to."""


class CheckedBackend(AsyncNetworkBackend):
    """Connects to the first address that answers, if calls may go to all that the name has.

    TLS goes on to be checked against the name. Raises AddressRefusedError.
    """

    def __init__(self, inner: AsyncNetworkBackend) -> None:
        self._inner = inner

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> AsyncNetworkStream:
        try:
            found = await asyncio.to_thread(resolve, refuse_odd_host(host), port)
            addresses = select_permitted(host, port, found, allowed_hosts(settings.MODEL_HOSTS))
        except RefusedAddressError as error:
            raise AddressRefusedError(str(error)) from error
        except (OSError, UnicodeError) as error:
            raise ConnectError("The name could not be resolved.") from error
        failure: Exception = ConnectError("The name has no address.")
        for address in addresses:
            try:
                return await self._inner.connect_tcp(str(address), port, timeout, local_address, socket_options)
            except ConnectError as error:
                failure = error
        raise failure

    async def sleep(self, seconds: float) -> None:
        await self._inner.sleep(seconds)


class BoundedStream(AsyncByteStream):
    """The body of an answer, up to a number of bytes and of lines, and of JSON values: of each line where it
    `is_events`, else of all together. Raises AnswerRefusedError."""

    def __init__(self, inner: AsyncByteStream, *, limit: int, is_events: bool, max_values: int | None) -> None:
        self._inner = inner
        self._left = limit
        self._is_events = is_events
        self._max_values = max_values
        self._values = 0
        self._lines_left = MAX_ANSWER_LINES
        self._line = bytearray()

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for piece in self._inner:
            self._left -= len(piece)
            if self._left < 0:
                raise AnswerRefusedError("The answer is longer than any that is read.")
            if self._max_values is not None:
                self._count(piece)
            yield piece
        self._end_line()

    async def aclose(self) -> None:
        await self._inner.aclose()

    def _count(self, piece: bytes) -> None:
        self._lines_left -= piece.count(b"\n") + piece.count(b"\r")  # either ends a line of a stream
        if self._lines_left < 0:
            raise AnswerRefusedError("The answer has more lines than any that is read.")
        *ended, rest = piece.split(b"\n")  # which no string of JSON has
        for part in ended:
            self._line += part
            self._end_line()
        self._line += rest
        if len(self._line) > MAX_ANSWER_BYTES:
            raise AnswerRefusedError("A line of the answer is longer than any that is read.")

    def _end_line(self) -> None:
        # Each byte as a character: quotation marks, brackets and commas are the same in UTF-8.
        found = count_values(self._line.decode("latin-1"))
        self._line.clear()
        self._values = found if self._is_events else self._values + found
        if self._max_values is not None and self._values > self._max_values:
            raise AnswerRefusedError("The answer has more parts than any that is read.")


def make_checked_client(limits: Limits, *, max_bytes: int = MAX_ANSWER_BYTES, max_values: int | None) -> AsyncClient:
    """Return a client of our own over such a transport; each call says how long it may take.

    The operator's environment and .netrc are not for these calls.
    """
    transport = CheckedTransport(limits, max_bytes=max_bytes, max_values=max_values)
    client = AsyncClient(transport=transport, timeout=None, trust_env=False)
    # A cookie that one workspace's call received must not travel with another's.
    client.cookies.jar = CookieJar(DefaultCookiePolicy(allowed_domains=()))
    return client


class CheckedTransport(AsyncHTTPTransport):
    """httpx's transport over such connections, or through the operator's proxy, which then decides where to.

    All workspaces share its process and its event loop: what one provider sends must not fill either.
    """

    def __init__(
        self, limits: Limits, *, max_bytes: int = MAX_ANSWER_BYTES, max_values: int | None = MAX_ANSWER_VALUES
    ) -> None:
        self._max_bytes, self._max_values = max_bytes, max_values
        if settings.MODEL_PROXY:
            super().__init__(limits=limits, proxy=settings.MODEL_PROXY)
            return
        super().__init__(limits=limits)
        # httpx has no parameter for it; the pool that it made has no connection yet.
        self._pool = AsyncConnectionPool(
            ssl_context=create_ssl_context(),
            max_connections=limits.max_connections,
            max_keepalive_connections=limits.max_keepalive_connections,
            keepalive_expiry=limits.keepalive_expiry,
            network_backend=CheckedBackend(AnyIOBackend()),
        )

    async def handle_async_request(self, request: Request) -> Response:
        request.headers["Accept-Encoding"] = "identity"
        response = await super().handle_async_request(request)
        if response.headers.get("Content-Encoding", "identity").strip().lower() != "identity":
            await response.aclose()
            raise AnswerRefusedError("The answer is compressed, though that was not asked for.")
        if isinstance(response.stream, AsyncByteStream):
            is_events = response.headers.get("Content-Type", "").startswith(EVENT_STREAM)
            most = MAX_STREAM_BYTES if is_events else self._max_bytes
            response.stream = BoundedStream(
                response.stream,
                limit=MAX_ERROR_BYTES if response.is_error else most,
                is_events=is_events,
                max_values=self._max_values,
            )
        return response
