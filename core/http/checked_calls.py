"""HTTP transport for calls at addresses that an answer from outside has named: it connects to permitted ones only, and
reads no more of an answer than a bound."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from ssl import SSLContext
from typing import Any

from httpcore2 import ConnectError, ConnectionPool, NetworkBackend, NetworkStream, SyncBackend
from httpx2 import HTTPTransport, ReadError, Request, Response, SyncByteStream, create_ssl_context

from core.http.egress import AllowedHost, RefusedAddressError, refuse_odd_host, resolve, select_permitted

MAX_ANSWER_BYTES = 1024 * 1024


@cache
def _tls() -> SSLContext:
    """Return the certificates that are trusted, which take some 30 ms to read."""
    return create_ssl_context()


class PermittedBackend(NetworkBackend):
    """Connects to the first address that answers, if calls may go to all that the name has.

    TLS goes on to be checked against the name.
    """

    def __init__(self, allowed: Iterable[AllowedHost]) -> None:
        self._allowed = tuple(allowed)
        self._inner = SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> NetworkStream:
        try:
            addresses = select_permitted(host, port, resolve(refuse_odd_host(host), port), self._allowed)
        except (RefusedAddressError, OSError, UnicodeError) as error:
            raise ConnectError("The name leads to no address that calls may go to.") from error
        failure: Exception = ConnectError("The name has no address.")
        for address in addresses:
            try:
                return self._inner.connect_tcp(str(address), port, timeout, local_address, socket_options)
            except ConnectError as error:
                failure = error
        raise failure


class BoundedBody(SyncByteStream):
    """The body of an answer, up to a number of bytes. Raises ReadError beyond it."""

    def __init__(self, inner: SyncByteStream) -> None:
        self._inner = inner

    def __iter__(self) -> Iterator[bytes]:
        left = MAX_ANSWER_BYTES
        for piece in self._inner:
            left -= len(piece)
            if left < 0:
                raise ReadError("The answer is longer than any that is read.")
            yield piece

    def close(self) -> None:
        self._inner.close()


class PermittedTransport(HTTPTransport):
    """httpx's transport over such connections."""

    def __init__(self, allowed: Iterable[AllowedHost]) -> None:
        super().__init__(verify=_tls())
        # httpx has no parameter for it; the pool that it made has no connection yet.
        self._pool = ConnectionPool(ssl_context=_tls(), network_backend=PermittedBackend(allowed))

    def handle_request(self, request: Request) -> Response:
        request.headers["Accept-Encoding"] = "identity"  # of a compressed answer the bound says nothing
        response = super().handle_request(request)
        if response.headers.get("Content-Encoding", "identity").strip().lower() != "identity":
            response.close()
            raise ReadError("The answer is compressed, though that was not asked for.")
        if isinstance(response.stream, SyncByteStream):
            response.stream = BoundedBody(response.stream)
        return response
