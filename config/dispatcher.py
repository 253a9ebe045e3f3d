"""ASGI dispatcher: reads the body of a request, admits it, and hands it to the threads or to the MCP endpoint."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from io import BytesIO
from typing import IO, Any

from a2wsgi import WSGIMiddleware
from django.conf import settings
from django.urls import Resolver404, resolve

from config.asgi_responses import send_alive, send_problem
from config.asgi_send_wrappers import add_security_headers, drop_stalled
from config.client_disconnect import stop_when_disconnected, watch_disconnect
from config.live_streams import LiveStreams
from config.request_body import (
    BULK_BODIES_AT_ONCE,
    BodyTimeoutError,
    ClientLeftError,
    Limits,
    RequestBodies,
    replay_body,
)
from config.request_id import add_request_id
from config.thread_admission import BODY, ThreadGroup, release_when_answered
from config.url_table import find_view, is_waiting
from config.wsgi import application as django
from core.db.connection_shares import Borrower, borrowing
from core.errors import OverloadedError, ProductError
from core.http.admission import TooManyAtOnceError
from core.http.body_parsers import BodyTooLargeError, LengthRequiredError, most_bytes
from workspaces.access.client_address import caller_address, client_network
from workspaces.access.credential_cache import find_workspace

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Asgi = Callable[[Any, Any, Any], Awaitable[None]]
Headers = list[tuple[bytes, bytes]]

THREADS = 12
STREAM_THREADS = 64
# As many as pages have; the SDK has more threads, which several workspaces may fill.
MCP_THREADS = 12
# What the SDK of MCP reads at most.
MAX_MCP_BYTES = 4_194_304
WITHOUT_BODY = {"GET", "HEAD", "OPTIONS"}


class RepeatedCredentialError(ProductError):
    """A request has one `Authorization` header."""

    code = "repeated_credential"
    status = 400
    title = "There is more than one Authorization header. Send one."


class Dispatcher:
    """Every HTTP request of one process. Pages, streams and MCP are admitted separately, each up to
    `MAX_CONCURRENT_REQUESTS`, of which one workspace or address has at most half."""

    def __init__(self, *, mcp: Asgi) -> None:
        self._bodies = RequestBodies(
            Limits(
                seconds=settings.BODY_TIMEOUT_SECONDS,
                unfinished=settings.MAX_UNFINISHED_BODIES,
                unfinished_of_address=settings.MAX_UNFINISHED_BODIES_PER_ADDRESS,
                held=BULK_BODIES_AT_ONCE * settings.MAX_BULK_BYTES,
            )
        )
        most = settings.MAX_CONCURRENT_REQUESTS
        self._for_pages = ThreadGroup(max_requests=most, threads=THREADS)
        self._for_streams = ThreadGroup(max_requests=most, threads=STREAM_THREADS)
        self._for_mcp = ThreadGroup(max_requests=most, threads=MCP_THREADS)
        # A queue without a limit: no thread waits until a client has read what is already made.
        self._pages: Any = WSGIMiddleware(release_when_answered(django), workers=THREADS, send_queue_size=0)
        self._streams: Any = WSGIMiddleware(
            release_when_answered(stop_when_disconnected(django)), workers=STREAM_THREADS
        )
        self._mcp = mcp
        self._live = LiveStreams()

    def stop_streams(self) -> None:
        """End the open streams of events, so that the process can stop. May be called by a signal's handler."""
        self._live.stop()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        send = add_request_id(scope, send)
        if scope["path"] == "/healthz":
            await send_alive(scope, send)
            return
        send = drop_stalled(send)
        if sum(name == b"authorization" for name, _ in scope["headers"]) > 1:  # whose reader might take another one
            await send_problem(scope, send, RepeatedCredentialError(), unread=receive)
            return
        is_mcp = scope["path"].rstrip("/") == "/mcp"
        length = _length(scope["headers"])
        if length == 0 or (length is None and scope["method"] in WITHOUT_BODY):
            await self._answer(scope, BytesIO(), receive, send)
            return
        try:
            max_bytes = MAX_MCP_BYTES if is_mcp else _max_bytes(scope["path"], length)
            if length is not None and length > max_bytes:
                raise BodyTooLargeError(f"The body is larger than {max_bytes:,} bytes.")
            async with self._bodies.receive_body(
                receive, address=_address(scope), max_bytes=max_bytes, holder=_holder(scope)
            ) as body:
                await self._answer(scope, body, replay_body(body, receive) if is_mcp else receive, send)
        except ProductError as error:
            await send_problem(scope, send, error, unread=receive, is_stuck=isinstance(error, BodyTimeoutError))
        except ClientLeftError:
            return

    async def _answer(self, scope: Scope, body: IO[bytes], receive: Receive, send: Send) -> None:
        """Have a request answered whose body is here. `receive` yields what follows on the connection."""
        path, holder = scope["path"], _holder(scope)
        try:
            if path.rstrip("/") == "/mcp":
                async with self._for_mcp.hold_turn(holder):
                    with borrowing(Borrower(holder)):
                        await self._mcp(scope, receive, add_security_headers(scope, send))
            elif _is_long(scope["headers"]) or is_waiting(path):
                held = {**scope, BODY: body}
                await self._for_streams.enter(held, holder)
                with borrowing(Borrower(holder, is_slow=True)):
                    await watch_disconnect(self._streams, held, receive, send)
            else:
                held = {**scope, BODY: body}
                await self._for_pages.enter(held, holder)
                with borrowing(Borrower(holder)):
                    await self._live.answer(self._pages, held, receive, send)
        except (OverloadedError, TooManyAtOnceError) as error:
            await send_problem(scope, send, error)


def _length(headers: Headers) -> int | None:
    """Return the length of the body as announced; None for one in chunks, whose length is not known."""
    length: int | None = 0
    for name, value in headers:
        if name == b"transfer-encoding":
            return None
        if name == b"content-length":
            length = int(value)
    return length


def _is_long(headers: Headers) -> bool:
    """Return whether the body is one of thousands of lines or values, which takes seconds to read."""
    return (_length(headers) or 0) > settings.MAX_BODY_BYTES


def _max_bytes(path: str, length: int | None) -> int:
    """Return the longest body of an address. Raises LengthRequiredError: what WSGI gets in chunks is empty for it."""
    if length is None:
        raise LengthRequiredError()
    if length <= settings.MAX_BODY_BYTES:
        return int(settings.MAX_BODY_BYTES)
    try:
        return most_bytes(find_view(resolve(path).func))
    except Resolver404:
        return int(settings.MAX_BODY_BYTES)


def _address(scope: Scope) -> str:
    # A proxy may add a line of its own behind the client's; they read as one list, as Django gets it.
    forwarded = b",".join(value for name, value in scope["headers"] if name == b"x-forwarded-for")
    return caller_address(peer=(scope.get("client") or ("",))[0], forwarded=forwarded.decode("latin-1"))


def _holder(scope: Scope) -> str:
    """Return for whom a request is counted: the workspace of a credential that was valid lately, or the network.

    A sender that invents credentials is counted by network; all keys of a workspace are counted together.
    """
    given = next((value for name, value in scope["headers"] if name == b"authorization"), b"")
    workspace_id = find_workspace(given.decode("latin-1")) if given else None
    return f"workspace {workspace_id}" if workspace_id else f"network {client_network(_address(scope))}"
