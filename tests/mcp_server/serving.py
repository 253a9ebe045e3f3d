"""The MCP door and everything beside it on a loopback port, served by uvicorn from a thread of the test's process."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import httpx2
import uvicorn
from a2wsgi import WSGIMiddleware
from django.db import connections
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client

from config.wsgi import application as django
from mcp_server.endpoint import McpDoor
from tests.awaiting import awaited

Answer = TypeVar("Answer")
WSM = "from workspace_memory.cli import main; main()"


@contextmanager
def house_served() -> Iterator[str]:
    """The address of the whole product while it is open; its MCP door is at `/mcp`."""
    door, pages = McpDoor(), WSGIMiddleware(_django_with_closed_connections, workers=4)  # as in config.asgi

    async def application(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            await (door if scope["path"] == "/mcp" else pages)(scope, receive, send)
            return
        while True:
            message = await receive()
            if message["type"] == "lifespan.shutdown":
                await door.stop()
            await send({"type": f"{message['type']}.complete"})
            if message["type"] == "lifespan.shutdown":
                return

    server = uvicorn.Server(uvicorn.Config(application, port=0, log_config=None, ws="none", proxy_headers=False))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        threading.Event().wait(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(timeout=60)


def _django_with_closed_connections(environ: Any, start_response: Any) -> Iterator[bytes]:
    """Answer as Django does, and close this thread's connections itself.

    Django does so at the signal for the end of a request, from which the test client disconnects it for the whole
    process while it makes a call of its own.
    """
    answer = django(environ, start_response)
    try:
        yield from answer
    finally:
        try:
            answer.close()
        finally:
            connections.close_all()


@contextmanager
def door_served() -> Iterator[str]:
    """The address of the MCP door while it is open."""
    with house_served() as house:
        yield f"{house}/mcp"


def in_session(
    address: str,
    secret: str,
    work: Callable[[Client], Awaitable[Answer]],
    *,
    headers: Sequence[tuple[str, str]] = (),
) -> Answer:
    """What `work` answers, with the official client connected with that key, and more headers."""

    return awaited(_with_key(address, secret, work, headers))


def over_stdio(
    house: str,
    secret: str,
    work: Callable[[Client], Awaitable[Answer]],
    *,
    wsm: Path | None = None,
    arguments: Sequence[str] = (),
    **options: Any,
) -> Answer:
    """The same through `wsm mcp`, a process of its own whose standard error `options` may send elsewhere; that of this
    checkout, or the program `wsm`.
    """
    environment = {"WSM_URL": house, "WSM_KEY": secret}
    if wsm:
        program = StdioServerParameters(command=str(wsm), args=["mcp"], env=environment)
    else:
        environment["PYTHONPATH"] = os.pathsep.join(sys.path)
        program = StdioServerParameters(command=sys.executable, args=["-c", WSM, "mcp", *arguments], env=environment)

    async def run() -> Answer:
        async with Client(stdio_client(program, **options)) as client:
            return await work(client)

    return awaited(run())


async def _with_key(
    address: str, secret: str, work: Callable[[Client], Awaitable[Answer]], more: Sequence[tuple[str, str]]
) -> Answer:
    headers = [("Authorization", f"Bearer {secret}"), *more]
    async with (
        httpx2.AsyncClient(headers=headers, timeout=30) as http,
        Client(streamable_http_client(address, http_client=http)) as client,
    ):
        return await work(client)
