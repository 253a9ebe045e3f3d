"""The embedded servers that are not given by a URL, as one thing that starts, is watched and stops."""

import os
import time
from collections.abc import Mapping
from contextlib import ExitStack
from types import TracebackType
from typing import Self

from embedded.graph_server import GraphServer
from embedded.home import Home
from embedded.postgres import Postgres
from embedded.program import TICK_SECONDS, Say
from embedded.server import BackingServer
from embedded.valkey import Valkey


class Services:
    """`postgres`, `valkey` and `graph` are None where the environment names a server to use instead."""

    def __init__(self, *, home: Home, say: Say, fast: bool, given: Mapping[str, str]) -> None:
        self.home = home
        self._lock = ExitStack()
        home.prepare()
        self._lock.enter_context(home.lock())
        self.graph = None if given.get("GRAPH_URL") else GraphServer(home=home, say=say, fast=fast)
        self.valkey = None if given.get("REDIS_URL") else Valkey(home=home, say=say, fast=fast)
        # Nothing can have been encrypted yet under a key that is missing.
        self.is_first_start = not given.get("DATABASE_URL") and not (home.path / Postgres.name / "data").exists()
        self.postgres = None if given.get("DATABASE_URL") else Postgres(home=home, say=say, fast=fast)

    @classmethod
    def start(cls, home: Home, *, say: Say = print, fast: bool = False) -> Self:
        """Start them side by side and wait until each answers; raises LaunchError, with nothing left running."""
        services = cls(home=home, say=say, fast=fast, given=os.environ)
        with ExitStack() as undo:
            undo.callback(services.stop)
            services._start()
            undo.pop_all()
        return services

    def _start(self) -> None:
        for server in self.all:
            self.home.hold(server.name).unlink(missing_ok=True)
            server.launch()  # the slowest first: it comes up while PostgreSQL makes its data folder
        while not all(server.is_ready for server in self.all):
            for server in self.all:
                server.tick()
                if not server.is_ready:
                    server.refuse_hopeless_start()
            time.sleep(TICK_SECONDS)
        self.home.write_services_env(self.environment)

    @property
    def all(self) -> list[BackingServer]:
        return [server for server in (self.graph, self.valkey, self.postgres) if server is not None]

    @property
    def environment(self) -> dict[str, str]:
        return {key: value for server in self.all for key, value in server.environment.items()}

    def tick(self) -> None:
        for server in self.all:
            server.tick()

    def stop(self) -> None:
        self.home.remove_services_env()
        for server in self.all:
            server.ask_to_stop()
        for server in self.all:
            server.stop()
        self._lock.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
