"""`wsm doctor`: is everything between here and the answer of a search in order?"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass

import click

from workspace_memory.cli.command_base import as_json, connected, printed_json, spaces
from workspace_memory.cli.credentials import is_private, named_profile, path_of_login
from workspace_memory.cli.output import table
from workspace_memory.errors import WorkspaceMemoryError
from workspace_memory.sync.client import Memory
from workspace_memory.wire import KEY


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at: whether it is in order, what was seen, how long it took."""

    name: str
    ok: bool
    seen: str
    milliseconds: float


@click.command()
@spaces
@as_json
def doctor(as_json: bool) -> None:
    """Check the login, the server and a search; exit with 1 when something is wrong."""
    with connected() as memory:
        checks = list(_checks(memory))
    if as_json:
        printed_json([asdict(check) for check in checks])
    else:
        rows = [(c.name, "ok" if c.ok else "WRONG", c.seen, f"{c.milliseconds:.0f}") for c in checks]
        table(["check", "state", "seen", "ms"], rows, whole=["check", "state", "ms"])
    sys.exit(0 if all(check.ok for check in checks) else 1)


def _checks(memory: Memory) -> Iterator[Check]:
    yield _check("login", _login)
    yield _check("server", lambda: _ready(memory))
    yield _check("key", lambda: f"opens {memory.workspace().name}")
    yield _check("search", lambda: f"method {memory.search('hello', limit=1).method}")


def _check(name: str, look: Callable[[], str]) -> Check:
    began = time.perf_counter()
    try:
        ok, seen = True, look()
    except WorkspaceMemoryError as error:
        ok, seen = False, str(error)
    return Check(name, ok, seen, round((time.perf_counter() - began) * 1000, 1))


def _login() -> str:
    path = path_of_login()
    if named_profile() is None and os.environ.get(KEY):
        return "named by the environment"
    if not path.exists():
        return "named by the environment"
    if not is_private(path):
        raise WorkspaceMemoryError(f"Others can read {path}: chmod 600 it, and have the key revoked.")
    return f"{path}, mode 600"


def _ready(memory: Memory) -> str:
    failing = {name: check for name, check in memory.readiness().items() if check.state != "ok"}
    if failing:
        raise WorkspaceMemoryError(" ".join(f"{name}: {check.detail}" for name, check in failing.items()))
    return "every part is ready"
