"""The two programs of the product itself: what serves, and what works in the background."""

import http.client
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

import psutil

from embedded.errors import LaunchError
from embedded.home import Home, is_free
from embedded.processes import Command
from embedded.program import Program, Say

ROOT = Path(__file__).resolve().parents[2]


class Web(Program):
    name: ClassVar[str] = "web"

    def __init__(self, *, home: Home, say: Say, environment: Mapping[str, str]) -> None:
        super().__init__(home=home, say=say)
        self.port = int(environment["PORT"])
        self._has_answered = False
        self._environment = {**environment, "WSM_SERVES_WEB": "1"}

    def command(self) -> Command:
        options = ["--host", "127.0.0.1", "--port", str(self.port), "--timeout-graceful-shutdown", "3"]
        options += ["--http", "h11"]  # httptools, if it is installed, takes a body after `Upgrade` for a request
        options += ["--ws", "none"]  # an upgrade would be refused as well, and logged with its whole address
        options.append("--no-proxy-headers")  # TRUST_PROXY says whom to believe; uvicorn believes every local client
        return python("-m", "uvicorn", "config.asgi:application", *options, environment=self._environment)

    def tick(self) -> None:
        """Look after it; raise LaunchError where it ended before it answered, since another program has its port."""
        if self.has_ended and not self._has_answered and not is_free(self.port):
            raise LaunchError(port_in_use(self.port))
        super().tick()

    def accepts(self) -> bool:
        """Return whether it answers: it, and not another server that was quicker to take the port."""
        does = self._listens() and self._answers()
        self._has_answered = self._has_answered or does
        return does

    def _listens(self) -> bool:
        try:
            sockets = psutil.Process(self.process_id).net_connections(kind="tcp")
        except psutil.Error:
            return False
        return any(each.status == psutil.CONN_LISTEN and each.laddr.port == self.port for each in sockets)

    def _answers(self) -> bool:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
        try:
            connection.request("GET", "/healthz")
            return connection.getresponse().status == 200
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()


class Worker(Program):
    name: ClassVar[str] = "worker"

    def __init__(self, *, home: Home, say: Say, environment: Mapping[str, str]) -> None:
        super().__init__(home=home, say=say)
        self._environment = environment

    def command(self) -> Command:
        return manage("qcluster", environment=self._environment)

    def accepts(self) -> bool:
        return True  # it has no door; what it does shows in /readyz


def port_in_use(port: int) -> str:
    """Say what to do where another program listens on a port."""
    return f"Port {port} is in use: choose another one, such as make run PORT=8001."


def manage(*arguments: str, environment: Mapping[str, str]) -> Command:
    return python(str(ROOT / "manage.py"), *arguments, environment=environment)


def python(*arguments: str, environment: Mapping[str, str]) -> Command:
    # Output goes to files: without this, lines would wait in a buffer until it is full.
    return Command(argv=[sys.executable, *arguments], folder=ROOT, environment={**environment, "PYTHONUNBUFFERED": "1"})
