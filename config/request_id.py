"""The id of a request: made here or taken from the client, in its log lines and in the header of its answer."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from core.ids import new_id
from core.log_context import label_request

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Send = Callable[[Message], Awaitable[None]]

HEADER = b"x-request-id"
# Nothing that could forge a log line or a header; long enough for the ids of proxies and tracing systems.
_VALID = re.compile(rb"[A-Za-z0-9._-]{1,64}")


def add_request_id(scope: Scope, send: Send) -> Send:
    """Give a request its id; return a `send` that names it in the answer.

    The label is not taken back: the server runs each request in a task of its own, and what it logs of the request
    afterwards belongs to it as well.
    """
    request_id = read_request_id(scope) or str(new_id())
    label_request(request_id)
    header = (HEADER, request_id.encode())

    async def send_identified(message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message.get("headers", ()), header]}
        await send(message)

    return send_identified


def read_request_id(scope: Scope) -> str:
    """Return the id that the client chose, 1 to 64 letters, digits, `.`, `_` and `-`; empty without a valid one."""
    given = next((value for name, value in scope["headers"] if name == HEADER), b"")
    return given.decode() if _VALID.fullmatch(given) else ""
