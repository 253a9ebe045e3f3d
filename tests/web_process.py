"""A web process of its own on the test's database, as operators run it."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import httpx

from tests.awaiting import comes_true
from tests.serving import serving_environment

ROOT = Path(__file__).parents[1]
SECONDS_TO_START = 120


@contextmanager
def web_process(*, log: IO[bytes] | None = None, **settings: str) -> Iterator[int]:
    """Yield the port of a web process that has these environment variables in addition to those of the test.

    `log` is the file that it writes its log to, instead of the standard error of the test.
    """
    with socket.create_server(("127.0.0.1", 0), backlog=512) as listening:
        port, number = listening.getsockname()[1], listening.fileno()
        process = subprocess.Popen(
            [sys.executable, "-m", "uvicorn", "config.asgi:application", "--fd", str(number), "--log-level", "warning"],
            env={**serving_environment(), **settings},
            cwd=ROOT,
            pass_fds=[number],
            stderr=log,
        )
    try:
        assert comes_true(lambda: process.poll() is not None or _is_up(port), seconds=SECONDS_TO_START), (
            "The web process did not start."
        )
        assert process.poll() is None, "The web process ended while it started."
        yield port
    finally:
        process.terminate()
        try:
            process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(timeout=30)


def _is_up(port: int) -> bool:
    try:
        return httpx.get(f"http://127.0.0.1:{port}/healthz").is_success
    except httpx.TransportError:
        return False
