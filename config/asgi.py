"""What uvicorn serves: one small dispatcher in front of Django.

Django's views are synchronous; running them as WSGI in a2wsgi's threads answers about twice as many requests as
Django's own ASGI handler does. What waits for models has threads of its own, so that slow ones hold up no other
request. A thread is taken for a request only when its body is here, and given back before its answer is read.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault("WSM_SERVES_WEB", "true")

from django.core.management import call_command

from config.dispatcher import Dispatcher
from config.live_streams import stop_streams_at_signals
from config.warmup import start_warmup
from mcp_server.endpoint import McpDoor
from telemetry.actions.services.capture import buffer

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

# A role that could get around row security, or a tenant table without it, must not serve a single request.
call_command("refuse_unsafe_role")

dispatch = Dispatcher(mcp=McpDoor())


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "lifespan":
        await _live(receive, send)
    elif scope["type"] == "http":
        await dispatch(scope, receive, send)
    elif scope["type"] == "websocket":  # nothing here speaks it
        await receive()
        await send({"type": "websocket.close", "code": 1000})


async def _live(receive: Receive, send: Send) -> None:
    while True:
        message = await receive()
        if message["type"] == "lifespan.shutdown":
            await asyncio.to_thread(buffer.close)  # what agents did just now is not lost
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return
        stop_streams_at_signals(dispatch.stop_streams)
        start_warmup()
