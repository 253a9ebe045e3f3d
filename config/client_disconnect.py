"""Telling a WSGI application that its reader has left, so that a streamed response ends with it.

uvicorn drops what is sent to a client that has gone, and a2wsgi does not ask. Without this, stopping an answer in the
chat would stop nothing: the model would go on, and be paid for, and what it cited would be counted.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from contextlib import closing
from threading import Event
from typing import Any

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Wsgi = Callable[..., Any]

LEFT = "workspace-memory.left"


def stop_when_disconnected(application: Wsgi) -> Wsgi:
    """Return the WSGI application; its answer is closed before the next piece when the reader has left."""

    def answer(environ: dict[str, Any], start_response: Any) -> Iterator[bytes]:
        left: Event = environ["asgi.scope"][LEFT]
        with closing(application(environ, start_response)) as pieces:
            for piece in pieces:
                if left.is_set():
                    return
                yield piece

    return answer


async def watch_disconnect(handle: Callable[..., Awaitable[None]], scope: Scope, receive: Receive, send: Send) -> None:
    """Have an ASGI application answer a request whose body was read, and listen meanwhile whether the reader leaves."""
    left = Event()

    async def listen() -> None:
        while (await receive())["type"] != "http.disconnect":
            pass  # the empty body of a request that has none
        left.set()

    listener = asyncio.create_task(listen())
    try:
        await handle({**scope, LEFT: left}, receive, send)
    finally:
        listener.cancel()
