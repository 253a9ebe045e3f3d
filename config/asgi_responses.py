"""Responses that the ASGI dispatcher sends by itself: that the process is alive, and problems."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable

from config.asgi_send_wrappers import Headers, Message, Scope, Send, add_security_headers
from core.errors import ProductError
from core.http.problems import CONTENT_TYPE, problem_body, problem_headers

Receive = Callable[[], Awaitable[Message]]

# How long the rest of a refused body is read and dropped: closing at once would reset the connection, and with it
# take the answer away from a client that is still sending.
LINGERING_SECONDS = 5
ALIVE = json.dumps({"status": "ok"}).encode()


async def send_alive(scope: Scope, send: Send) -> None:
    """Answer `/healthz`: the event loop runs. Asks nothing and waits for no thread."""
    await _send(add_security_headers(scope, send), 200, "application/json", ALIVE)


async def send_problem(
    scope: Scope, send: Send, error: ProductError, *, unread: Receive | None = None, is_stuck: bool = False
) -> None:
    """Answer an error. With an `unread` body the connection is closed, after what still arrives of it was dropped; at
    once if the client `is_stuck`."""
    extra = [(name.lower().encode(), value.encode("latin-1")) for name, value in problem_headers(error).items()]
    extra += [(b"connection", b"close")] if unread else []
    body = json.dumps(problem_body(error)).encode()
    await _send(add_security_headers(scope, send), error.status, CONTENT_TYPE, body, extra, is_last=unread is None)
    if unread:
        if not is_stuck:
            await _drop(unread)
        await send({"type": "http.response.body", "body": b""})


async def _send(
    send: Send, status: int, kind: str, body: bytes, extra: Headers | None = None, *, is_last: bool = True
) -> None:
    length = str(len(body)).encode()
    headers = [(b"content-type", kind.encode()), (b"content-length", length), *(extra or [])]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": not is_last})


async def _drop(receive: Receive) -> None:
    try:
        async with asyncio.timeout(LINGERING_SECONDS):
            while (await receive()).get("more_body", False):
                pass
    except TimeoutError:
        return
