"""Servers of others, as a turn may meet them: one that embeds, and one that takes a call and never says a word."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

DIMENSIONS = 8


@contextmanager
def silent_server() -> Iterator[int]:
    """The port of a server that accepts connections and answers nothing."""
    with socket.create_server(("127.0.0.1", 0), backlog=64) as server:
        yield server.getsockname()[1]


class EmbeddingServer:
    """An embeddings endpoint in OpenAI's format that can be stopped."""

    def __init__(self) -> None:
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _Embeds)
        self._serving = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})
        self._serving.start()
        self._is_up = True

    @property
    def port(self) -> int:
        return int(self._server.server_port)

    def stop(self) -> None:
        if self._is_up:
            self._is_up = False
            self._server.shutdown()
            self._server.server_close()
            self._serving.join()


class _Embeds(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        texts = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["input"]
        items = [
            {"index": place, "embedding": [1.0 + len(text) % 7] + [1.0] * (DIMENSIONS - 1)}
            for place, text in enumerate(texts)
        ]
        content = json.dumps({"data": items}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        """Quiet."""
