"""The ASGI side of `/mcp`: who is asking, is it a call at all, and the SDK's streamable HTTP behind it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import urlsplit

from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import DatabaseError, connection
from django.http.request import split_domain_port, validate_host
from django.utils.functional import cached_property

from core.errors import (
    ForbiddenError,
    ProductError,
    TooManyRequestsError,
    UnauthenticatedError,
    UnavailableError,
)
from core.http.body_parsers import TooManyValuesError, refuse_values
from core.http.problems import CONTENT_TYPE, MethodError, as_product_error, problem_body, problem_headers
from mcp_server.registry import CALLER
from mcp_server.tool_sets import LISTED_SETS, UnknownToolSetError, parse_tool_sets
from workspaces.access.callers import Caller
from workspaces.access.client_address import caller_address
from workspaces.access.credential_cache import forget_credential
from workspaces.http.rate_limit import count_call
from workspaces.keys import secrets
from workspaces.keys.on_behalf_stamps import HEADER
from workspaces.keys.services import caller_of_key
from workspaces.keys.sub_agent_marks import SUB_AGENT_HEADER, read_sub_agent_mark
from workspaces.oauth.services.connected_apps import caller_of_token

LOOKUP_THREADS = 12
REFUSED = -32001  # JSON-RPC leaves -32000 to -32099 to servers
MARK = SUB_AGENT_HEADER.lower().encode()
Scope = MutableMapping[str, Any]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]


class ForeignOriginError(ForbiddenError):
    """A page of another site must not call this server through a user's browser."""

    code = "foreign_origin"
    title = "This server does not take MCP calls from pages of another site."


class McpDoor:
    """Stateless: every call carries its key and is answered in JSON, by whichever process takes it."""

    def __init__(self) -> None:
        self._starting = asyncio.Lock()
        # Of its own: those of the event loop are as few as the machine has processors, and wait for connections.
        self._lookups = ThreadPoolExecutor(LOOKUP_THREADS, thread_name_prefix="mcp-keys")
        self._stopping = asyncio.Event()
        self._running: asyncio.Task[None] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        # Of several, which one counts is not for chance to say.
        marks = [value.decode("latin-1") for name, value in scope["headers"] if name.lower() == MARK]
        origin = _origin(scope["scheme"], headers)
        try:
            _refuse_foreign(headers)
            if scope["method"] != "POST":
                raise MethodError("MCP calls are POST requests; this server opens no stream and keeps no session.")
            sets = parse_tool_sets(scope.get("query_string", b"").decode("latin-1"))
            peer = (scope.get("client") or ("",))[0]
            address = caller_address(peer=peer, forwarded=headers.get("x-forwarded-for", ""))
            caller = await sync_to_async(_caller, thread_sensitive=False, executor=self._lookups)(
                headers, origin, address
            )
            if read_sub_agent_mark(",".join(marks)):
                caller = caller.as_sub_agent()
            body = await _read_body(receive)
        except ProductError as error:
            await _refuse(send, error, origin)
            return
        await self._start()
        CALLER.set(caller)
        LISTED_SETS.set(sets)
        await self._manager.handle_request(scope, _replay(body, receive), send)

    async def stop(self) -> None:
        """End the SDK's task group, in the task that opened it."""
        self._stopping.set()
        if self._running:
            await self._running
        self._lookups.shutdown(wait=False)

    async def _start(self) -> None:
        async with self._starting:
            if self._running is None:
                await sync_to_async(lambda: self._manager, thread_sensitive=False)()  # the import takes a second
                started = asyncio.Event()
                self._running = asyncio.create_task(self._run(started))
                await started.wait()

    async def _run(self, started: asyncio.Event) -> None:
        async with self._manager.run():
            started.set()
            await self._stopping.wait()

    @cached_property
    def _manager(self) -> Any:
        from mcp.server.transport_security import TransportSecuritySettings

        from mcp_server.server import build_server

        server = build_server()
        # The door has looked at host and origin itself, by the same settings as the pages.
        checked = TransportSecuritySettings(enable_dns_rebinding_protection=False)
        server.streamable_http_app(json_response=True, stateless_http=True, transport_security=checked)
        return server.session_manager


def _caller(headers: MutableMapping[str, str], origin: str, address: str) -> Caller:
    scheme, _, given = headers.get("authorization", "").partition(" ")
    secret = given.strip()
    if scheme.lower() != "bearer":
        raise UnauthenticatedError("Connect this app by signing in, or send an API key as a bearer token.")
    try:
        if secret.startswith(secrets.ACCESS_PREFIX):
            caller = caller_of_token(secret=secret, resource=f"{origin}/mcp", address=address)
        else:
            on_behalf_of = headers.get(HEADER.lower(), "")
            caller = caller_of_key(secret=secret, address=address, on_behalf_of=on_behalf_of)
    except DatabaseError as error:
        raise as_product_error(error) or UnavailableError() from error
    except UnauthenticatedError:
        forget_credential(secret)
        raise
    finally:
        connection.close()
    rate = count_call(caller.id, workspace_id=caller.workspace_id)
    if rate and rate.is_exceeded:
        raise rate.refusal
    return caller


async def _read_body(receive: Receive) -> list[MutableMapping[str, Any]]:
    """Return the messages that bring the body, whose length the dispatcher has bounded. Raises TooManyValuesError.

    The SDK's parser would make an object of each value while nothing else of the process runs.
    """
    messages = [await receive()]
    while messages[-1].get("more_body"):
        messages.append(await receive())
    # Every byte as a character: what is counted is ASCII, and whether the rest is UTF-8 is for the parser to say.
    refuse_values(b"".join(message.get("body", b"") for message in messages).decode("latin-1"))
    return messages


def _replay(messages: list[MutableMapping[str, Any]], receive: Receive) -> Receive:
    """Return a `receive` that yields these messages, then what follows on the connection."""
    waiting = iter(messages)

    async def read() -> MutableMapping[str, Any]:
        message = next(waiting, None)
        return await receive() if message is None else message

    return read


def _origin(scheme: str, headers: MutableMapping[str, str]) -> str:
    """Return this server's address as the caller knows it, in the way in which Django's pages see it."""
    if settings.SECURE_PROXY_SSL_HEADER and headers.get("x-forwarded-proto") == settings.SECURE_PROXY_SSL_HEADER[1]:
        scheme = "https"
    return f"{scheme}://{headers.get('host', '')}"


def _refuse_foreign(headers: MutableMapping[str, str]) -> None:
    host, origin = headers.get("host", ""), headers.get("origin")
    if not validate_host(split_domain_port(host)[0], settings.ALLOWED_HOSTS):
        raise ForeignOriginError("This server does not answer to that host name. Name it in ALLOWED_HOSTS.")
    if origin and _origin_host(origin) != host:
        raise ForeignOriginError()


def _origin_host(origin: str) -> str:
    try:
        return urlsplit(origin).netloc
    except ValueError:  # a bracket that cannot be
        return ""


async def _refuse(send: Send, error: ProductError, origin: str) -> None:
    kind, body = CONTENT_TYPE, problem_body(error)
    extra = problem_headers(error)
    if error.status == UnauthenticatedError.status:
        extra = {"WWW-Authenticate": _challenge(error, origin)}
    elif error.status == MethodError.status:
        extra = {"Allow": "POST"}
    elif isinstance(error, TooManyRequestsError | TooManyValuesError | UnknownToolSetError):
        # Clients show agents only what is an error of the protocol.
        refusal = {"code": REFUSED, "message": f"{error.code}: {error.detail}", "data": body}
        kind, body = "application/json", {"jsonrpc": "2.0", "id": None, "error": refusal}
    headers = [(name.lower().encode(), value.encode("latin-1")) for name, value in extra.items()]
    headers.append((b"content-type", kind.encode()))
    await send({"type": "http.response.start", "status": error.status, "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps(body).encode()})


def _challenge(error: ProductError, origin: str) -> str:
    """Return what a client needs to connect by signing in (RFC 9728), and why what it sent was not taken (RFC 6750)."""
    asked = {"realm": "workspace memory"}
    if error.code != UnauthenticatedError.code:
        asked |= {"error": "invalid_token", "error_description": error.title}
    asked |= {"resource_metadata": f"{origin}/.well-known/oauth-protected-resource/mcp", "scope": "read write"}
    return "Bearer " + ", ".join(f'{name}="{value}"' for name, value in asked.items())
