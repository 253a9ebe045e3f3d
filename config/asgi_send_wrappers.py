"""Wrappers of an ASGI `send`: security headers, and clients that take nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from django.conf import settings

from config.middleware import POLICY

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Send = Callable[[Message], Awaitable[None]]
Headers = list[tuple[bytes, bytes]]

# The longest time for which a client may take nothing of an answer that waits for it.
STALLED_SECONDS = 60


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
