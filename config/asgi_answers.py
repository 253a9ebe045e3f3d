"""Answers that the ASGI dispatcher gives itself, and the headers of those that do not come from Django."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from django.conf import settings

from config.middleware import POLICY
from core.errors import ProductError
from core.http.problems import CONTENT_TYPE, problem_body, problem_headers

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Headers = list[tuple[bytes, bytes]]

# The longest time for which a client may take nothing of an answer that waits for it.
STALLED_SECONDS = 60
# How long the rest of a refused body is read and dropped: closing at once would reset the connection, and with it
# take the answer away from a client that is still sending.
LINGERING_SECONDS = 5
ALIVE = json.dumps({"status": "ok"}).encode()


def add_security_headers(scope: Scope, send: Send) -> Send:
    """Return a `send` that adds the security headers, and forbids every cache to keep the answer."""
    headers = _security_headers(scope)
    names = {name for name, _ in headers}

    async def send_secured(message: Message) -> None:
        if message["type"] == "http.response.start":
            others = [header for header in message.get("headers", ()) if header[0].lower() not in names]
            message = {**message, "headers": [*others, *headers]}
        await send(message)

    return send_secured


def drop_stalled(send: Send) -> Send:
    """Return a `send` that drops the rest of an answer whose client takes nothing for `STALLED_SECONDS`."""
    is_stalled = False

    async def send_or_drop(message: Message) -> None:
        nonlocal is_stalled
        if is_stalled:
            return
        try:
            async with asyncio.timeout(STALLED_SECONDS):
                await send(message)
        except TimeoutError:
            is_stalled = True

    return send_or_drop


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


def _security_headers(scope: Scope) -> Headers:
    """Return what Django's middleware puts on every page, and no caching."""
    headers = [
        (b"cache-control", b"no-store"),
        (b"content-security-policy", POLICY.encode()),
        (b"cross-origin-opener-policy", b"same-origin"),
        (b"referrer-policy", settings.SECURE_REFERRER_POLICY.encode()),
        (b"x-content-type-options", b"nosniff"),
        (b"x-frame-options", settings.X_FRAME_OPTIONS.encode()),
    ]
    if settings.SECURE_HSTS_SECONDS and _is_secure(scope):
        headers.append((b"strict-transport-security", f"max-age={settings.SECURE_HSTS_SECONDS}".encode()))
    return headers


def _is_secure(scope: Scope) -> bool:
    """Return whether the client came over TLS, in the way in which Django sees it."""
    if settings.TRUST_PROXY:
        for name, value in scope["headers"]:
            if name == b"x-forwarded-proto":
                return bool(value.strip() == b"https")
    return bool(scope["scheme"] == "https")
