"""Two launchers on one port: the one that comes second says so, and never that it serves."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from core.env import Environment
from embedded import Home, LaunchError, Services
from embedded.launcher.product import Product
from embedded.launcher.web_and_worker import Web
from embedded.processes import Command, plain_environment
from tests.embedded.programs import Said

pytestmark = pytest.mark.heavy

# As uvicorn does: some time after its start it takes the port, or ends.
SERVER = """
import sys, time
from http.server import BaseHTTPRequestHandler, HTTPServer
class Healthy(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
    def log_message(self, *values):
        pass
time.sleep(float(sys.argv[2]))
HTTPServer(("127.0.0.1", int(sys.argv[1])), Healthy).serve_forever()
"""


class LateWeb(Web):
    """A web server that takes its port after some seconds."""

    def command(self) -> Command:
        argv = [sys.executable, "-c", SERVER, str(self.port), "1.5"]
        return Command(argv=argv, folder=Path("/"), environment=plain_environment())


class Healthy(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()

    def log_message(self, format: str, *values: object) -> None:
        pass


@contextmanager
def another_launcher(port: int = 0) -> Iterator[int]:
    """The server of the launcher that was quicker, which answers at the port."""
    with ThreadingHTTPServer(("127.0.0.1", port), Healthy) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()
            thread.join()


def test_the_second_of_two_launchers_says_that_the_port_is_in_use(home: Home) -> None:
    said = Said()
    with another_launcher() as port:
        web = LateWeb(home=home, say=said, environment={"PORT": str(port)})
        try:
            web.launch()
            with pytest.raises(LaunchError, match=rf"Port {port} is in use: choose another one"):
                web.await_ready()
        finally:
            web.kill()

    assert not [line for line in said.lines if "ready" in line]


def test_the_first_one_serves(home: Home) -> None:
    said = Said()
    with another_launcher() as port:
        pass  # a port that is free again
    web = LateWeb(home=home, say=said, environment={"PORT": str(port)})
    try:
        web.launch()
        web.await_ready()
    finally:
        web.kill()

    assert len(said.lines) == 1
    assert said.lines[0].startswith("web         ready after ")


def test_commands_in_another_terminal_know_the_port(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PORT", raising=False)
    given = {"DATABASE_URL": "postgresql://db", "REDIS_URL": "redis://cache", "GRAPH_URL": "bolt://graph"}
    with Services(home=home, say=Said(), fast=True, given=given) as services:
        Product(services=services, say=Said(), port=8123)
        assert Environment.load(home.services_env).text("PORT") == "8123"

    assert not home.services_env.exists()
