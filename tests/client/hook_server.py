"""A server that hooks call in tests: it answers as the product does, slowly, or with a refusal, and keeps what came."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

WORKSPACE = "01a20267-0000-7000-8000-000000000001"
KNOWN = "- [mem:01a20267-1dc5-77ca-8785-1deaabd930e7] (fact) The oven runs hot."


class HookServer:
    """What it answers, and what it was sent."""

    def __init__(self) -> None:
        self.status = 200
        self.stalls = threading.Event()  # while it is set, answers wait
        self.goes_on = threading.Event()
        self.text = KNOWN
        self.added: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self.asked: list[dict[str, Any]] = []
        self.ended: list[str] = []
        self.refused_contents: set[str] = set()

    def answer(self, method: str, path: str, body: Any, headers: Any) -> tuple[int, Any]:
        """Return the status and the JSON of an answer."""
        if self.stalls.is_set():
            self.goes_on.wait(30)
        if headers["Authorization"] == "Bearer wrong":
            return 401, {"code": "invalid_key"}
        if self.status != 200:
            return self.status, {"code": "unavailable"}
        routes = {"workspaces": self._workspaces, "context": self._context, "end": self._end, "add": self._add}
        return routes[path.rpartition("/")[2]](path, body, headers)

    def _workspaces(self, path: str, body: Any, headers: Any) -> tuple[int, Any]:
        return 200, {"results": [{"id": WORKSPACE, "name": "Bakery", "slug": "bakery"}]}

    def _context(self, path: str, body: Any, headers: Any) -> tuple[int, Any]:
        self.asked.append(body)
        return 200, {"text": self.text, "tokens_used": len(self.text) // 4, "blocks": []}

    def _end(self, path: str, body: Any, headers: Any) -> tuple[int, Any]:
        self.ended.append(path.split("/")[-2])
        return 200, {}

    def _add(self, path: str, body: Any, headers: Any) -> tuple[int, Any]:
        if any(message["content"] in self.refused_contents for message in body["messages"]):
            return 422, {"code": "validation_error"}
        if headers["Idempotency-Key"] not in self.keys:
            self.keys.append(headers["Idempotency-Key"])
            self.added.append(body)
        return 200, {"message_ids": []}

    @property
    def contents(self) -> list[tuple[str, str]]:
        """Role and content of every message that came, in order."""
        return [(message["role"], message["content"]) for body in self.added for message in body["messages"]]


@contextmanager
def serving(hooks: HookServer) -> Iterator[str]:
    """Serve on a free port of this machine; yields the address."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _handle(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(length)) if length else None
            status, answer = hooks.answer(self.command, self.path, body, self.headers)
            content = json.dumps(answer).encode()
            try:
                self.send_response(status)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)
            except OSError:
                self.close_connection = True  # the hook did not wait

        do_GET = do_POST = _handle  # noqa: N815  # names that the standard library looks for

        def log_message(self, format: str, *args: Any) -> None:
            """Print nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        hooks.goes_on.set()
        server.shutdown()
        server.server_close()
        thread.join()
