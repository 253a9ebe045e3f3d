"""What uvicorn serves: one small dispatcher in front of Django.

Django's views are synchronous; running them as WSGI in a2wsgi's threads answers about twice as many requests as
Django's own ASGI handler does. What waits for models has threads of its own, so that slow ones hold up nobody else.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault("WSM_SERVES_WEB", "true")

from a2wsgi import WSGIMiddleware
from django.core.management import call_command

from config.leaving import WAITING, watched, while_read
from config.warming import warm_up
from config.wsgi import application as django
from mcp_server.door import McpDoor
from telemetry.services.capturing import buffer

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

THREADS = 12
STREAM_THREADS = 64

# A role that could get around row security, or a tenant table without it, must not serve a single request.
call_command("refuse_unsafe_role")

streams = WSGIMiddleware(while_read(django), workers=STREAM_THREADS)
mcp = McpDoor()
pages = WSGIMiddleware(django, workers=THREADS)  # type: ignore[arg-type]  # its own names for WSGI's shapes


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "lifespan":
        await _live(receive, send)
    elif scope["type"] == "http" and scope["path"].rstrip("/") == "/mcp":
        await mcp(scope, receive, send)
    elif scope["type"] == "http" and scope["path"].endswith(WAITING):
        await watched(streams, scope, receive, send)
    elif scope["type"] == "http":
        await pages(scope, receive, send)  # type: ignore[arg-type]  # and for ASGI's


async def _live(receive: Receive, send: Send) -> None:
    while True:
        message = await receive()
        if message["type"] == "lifespan.shutdown":
            await asyncio.to_thread(buffer.close)  # what agents did just now is not lost
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return
        warm_up()
