"""HTTP transport to providers, which are not trusted: it connects to checked addresses only, and reads no more of an
answer than a bound."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from typing import Any

from django.conf import settings
from httpcore2 import AnyIOBackend, AsyncConnectionPool, AsyncNetworkBackend, AsyncNetworkStream, ConnectError
from httpx2 import AsyncByteStream, AsyncHTTPTransport, Limits, ReadError, Request, Response, create_ssl_context

from core.http.egress import RefusedAddressError, allowed_hosts, refuse_odd_host, resolve, select_permitted

MEBIBYTE = 1024 * 1024
# What the libraries read whole: the longest answer has some 64,000 tokens, and an error a few sentences. In a stream
# each token has an event around it, of some 250 bytes.
MAX_ANSWER_BYTES, MAX_STREAM_BYTES, MAX_ERROR_BYTES = 4 * MEBIBYTE, 16 * MEBIBYTE, MEBIBYTE // 16
EVENT_STREAM = "text/event-stream"


class AnswerRefusedError(ReadError):
    """The provider's answer is longer than any that is read, or compressed, so that its length is not known."""


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
    """The body of an answer, up to a number of bytes. Raises AnswerRefusedError."""

    def __init__(self, inner: AsyncByteStream, *, limit: int) -> None:
        self._inner = inner
        self._left = limit

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for piece in self._inner:
            self._left -= len(piece)
            if self._left < 0:
                raise AnswerRefusedError("The answer is longer than any that is read.")
            yield piece

    async def aclose(self) -> None:
        await self._inner.aclose()


class CheckedTransport(AsyncHTTPTransport):
    """httpx's transport over such connections, or through the operator's proxy, which then decides where to.

    All workspaces share its process and its event loop: what one provider sends must not fill either.
    """

    def __init__(self, limits: Limits, *, max_answer_bytes: int = MAX_ANSWER_BYTES) -> None:
        self._max_answer_bytes = max_answer_bytes
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
            response.stream = BoundedStream(response.stream, limit=self._limit(response))
        return response

    def _limit(self, response: Response) -> int:
        if response.is_error:
            return MAX_ERROR_BYTES
        is_stream = response.headers.get("Content-Type", "").startswith(EVENT_STREAM)
        return MAX_STREAM_BYTES if is_stream else self._max_answer_bytes
