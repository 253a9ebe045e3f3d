"""HTTP transport that connects to checked addresses only: what was resolved and checked is what is connected to."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

from django.conf import settings
from httpcore2 import AnyIOBackend, AsyncConnectionPool, AsyncNetworkBackend, AsyncNetworkStream, ConnectError
from httpx2 import AsyncHTTPTransport, Limits, create_ssl_context

from core.http.egress import RefusedAddressError, allowed_hosts, refuse_odd_host, resolve, select_permitted


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


class CheckedTransport(AsyncHTTPTransport):
    """httpx's transport over such connections, or through the operator's proxy, which then decides where to."""

    def __init__(self, limits: Limits) -> None:
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
