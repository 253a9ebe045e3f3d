"""Which test opened a database connection that nobody closed: the warning about it comes in whichever test runs when it
is collected."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from psycopg import BaseConnection


@contextmanager
def origins_of_connections() -> Iterator[None]:
    """Inside, a connection that is dropped while it is open says to standard error which test and thread opened it."""
    initialise, warn = BaseConnection.__init__, BaseConnection.__del__
    origins: dict[int, str] = {}

    def opened(connection: BaseConnection[Any], *arguments: Any) -> None:
        initialise(connection, *arguments)
        test = os.environ.get("PYTEST_CURRENT_TEST", "no test")
        origins[id(connection)] = f"{test}, thread {threading.current_thread().name}"

    def dropped(connection: BaseConnection[Any]) -> None:
        origin = origins.pop(id(connection), "")
        if hasattr(connection, "pgconn") and not connection.closed and not hasattr(connection, "_pool"):
            sys.stderr.write(f"A database connection was left open by {origin}\n")
        warn(connection)

    with pytest.MonkeyPatch.context() as changed:
        changed.setattr(BaseConnection, "__init__", opened)
        changed.setattr(BaseConnection, "__del__", dropped)
        yield
