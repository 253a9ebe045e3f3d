"""Stopping, killing and starting one server of a run that another process supervises."""

import signal
import time

from embedded.errors import LaunchError
from embedded.home import Home
from embedded.postgres import Postgres
from embedded.processes import end_recorded
from embedded.program import TICK_SECONDS

START_SECONDS = 60


def stop(home: Home, name: str) -> None:
    _end(home, name, Postgres.stop_signal if name == Postgres.name else signal.SIGTERM)


def kill(home: Home, name: str) -> None:
    _end(home, name, signal.SIGKILL)


def start(home: Home, name: str) -> None:
    """Let the supervisor start it again, and wait until it answers."""
    if not home.is_supervised():
        raise LaunchError(f"No run is using {home.path}: start one with `python -m embedded up --home {home.path}`.")
    home.hold(name).unlink(missing_ok=True)
    _await_ready(home, name)


def renew(home: Home, name: str) -> None:
    """Have the supervisor set a server's data aside, and wait until it answers without them. Raises LaunchError."""
    if not home.is_supervised():
        raise LaunchError(f"No run is using {home.path}: its next start looks after data that cannot be read.")
    home.ready(name).unlink(missing_ok=True)
    home.renewal(name).touch()
    _await_ready(home, name)


def _await_ready(home: Home, name: str) -> None:
    deadline = time.monotonic() + START_SECONDS
    while not home.ready(name).exists():
        if time.monotonic() > deadline:
            raise LaunchError(f"{name} does not answer after {START_SECONDS} s; see {home.log(name)}.")
        time.sleep(TICK_SECONDS)


def _end(home: Home, name: str, first: signal.Signals) -> None:
    home.hold(name).touch()
    end_recorded(home.record(name), first=first)
    home.ready(name).unlink(missing_ok=True)
