"""The MCP door on a loopback port, served by uvicorn from a thread of the test's process."""

from __future__ import annotations

import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import httpx2
import uvicorn
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client

from mcp_server.door import McpDoor
from tests.awaiting import awaited

Answer = TypeVar("Answer")


@contextmanager
def door_served() -> Iterator[str]:
    """The address of the door while it is open."""
    door = McpDoor()

    async def application(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            await door(scope, receive, send)
            return
        while True:
            message = await receive()
            if message["type"] == "lifespan.shutdown":
                await door.stop()
            await send({"type": f"{message['type']}.complete"})
            if message["type"] == "lifespan.shutdown":
                return

    server = uvicorn.Server(uvicorn.Config(application, port=0, log_config=None, ws="none"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        threading.Event().wait(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        server.should_exit = True
        thread.join(timeout=10)


def in_session(address: str, secret: str, work: Callable[[Client], Awaitable[Answer]]) -> Answer:
    """What `work` answers, with the official client connected with that key."""

    async def run() -> Answer:
        headers = {"Authorization": f"Bearer {secret}"}
        async with (
            httpx2.AsyncClient(headers=headers, timeout=30) as http,
            Client(streamable_http_client(address, http_client=http)) as client,
        ):
            return await work(client)

    return awaited(run())
