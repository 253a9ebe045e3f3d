"""The whole product on one machine: servers, migrations, demo data, web and worker, in that order."""

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from embedded import Home, LaunchError, Services
from embedded.home import OWNER_VARIABLE
from embedded.launcher.source_watch import SourceWatch
from embedded.launcher.web_and_worker import ROOT, Web, Worker, manage
from embedded.processes import Command, spawn
from embedded.program import TICK_SECONDS, Program, Say


class Product:
    def __init__(self, *, services: Services, say: Say, port: int, reloads: bool = False) -> None:
        home = services.home
        self.home, self._services, self._say = home, services, say
        self.environment = {**home.environment(services.environment), "PORT": str(port)}
        # For `manage.py` in another terminal, whose output names addresses.
        home.write_services_env({**services.environment, "PORT": str(port)})
        # What serves never holds the address that could change tables and policies.
        self._serving = {key: value for key, value in self.environment.items() if key != OWNER_VARIABLE}
        self.web = Web(home=home, say=say, environment=self._serving)
        self.programs: list[Program] = [self.web, Worker(home=home, say=say, environment=self._serving)]
        self._watch = SourceWatch(ROOT) if reloads else None

    @classmethod
    @contextmanager
    def start(cls, *, home: Home, port: int, say: Say, reloads: bool = False) -> Iterator[Self]:
        """Everything up, until the block ends; with `reloads`, started again when code changes. Raises LaunchError."""
        with Services.start(home, say=say) as services:
            product = cls(services=services, say=say, port=port, reloads=reloads)
            try:
                product._start()
                yield product
            finally:
                product._stop()

    def _start(self) -> None:
        self._migrate()
        self._keep_secret_key()
        self._fill_graph()
        for program in self.programs:
            self.home.hold(program.name).unlink(missing_ok=True)
            program.launch()
        self._step("create_demo", manage("create_demo", environment=self._serving))
        for program in self.programs:
            program.await_ready()

    def _migrate(self) -> None:
        self._step("migrate", manage("migrate", environment={**self.environment, "WSM_DATABASE_ROLE": "owner"}))

    def _keep_secret_key(self) -> None:
        """Make a new secret_key the key of this home, unless secrets in the database need the one that is missing."""
        if self.home.secret_key.exists() or os.environ.get("SECRET_KEY"):
            return
        if not self._services.is_first_start:
            self._say(f"{self.home.secret_key} is missing: looking whether anything was encrypted with it.")
            try:
                self._step("reencrypt_secrets", manage("reencrypt_secrets", "--check", environment=self._serving))
            except LaunchError as error:
                raise LaunchError(f"{error} To go on without it, rename secret_key.new to secret_key.") from error
        self.home.keep_secret_key()

    def _fill_graph(self) -> None:
        """Queue everything for a graph server whose data were set aside; the worker carries it over."""
        graph = self._services.graph
        if graph is None or not graph.is_ready or not graph.empty_marker.exists():
            return
        try:
            self._step("rebuild_graph", manage("rebuild_graph", "--queue", environment=self._serving))
        except LaunchError as error:
            self._say(f"{error} Run `manage.py rebuild_graph`.")  # a missing graph does not prevent serving
        graph.empty_marker.unlink(missing_ok=True)

    def _step(self, name: str, command: Command) -> None:
        """Run a command to its end; its words go to a log of its own."""
        began, log = time.monotonic(), self.home.log(name)
        log.unlink(missing_ok=True)
        process = spawn(command, log=log)
        try:
            while process.poll() is None:
                self._services.tick()
                time.sleep(TICK_SECONDS)
        finally:
            process.terminate()
        if process.returncode != 0:
            raise LaunchError(f"`manage.py {name}` failed: {self.home.last_words(name)}.")
        self._say(f"{name:<11} done after {time.monotonic() - began:.1f} s")

    def tick(self) -> None:
        self._services.tick()
        for program in self.programs:
            program.tick()
        self._fill_graph()
        if self._watch and (changed := self._watch.changed_files()):
            self._reload(changed)

    def _reload(self, changed: Sequence[Path]) -> None:
        """Start web and worker again with what was edited; those that cannot start wait for the next edit."""
        others = f" and {len(changed) - 1} more" if len(changed) > 1 else ""
        self._say(f"{changed[0].relative_to(ROOT)}{others} changed: starting web and worker again.")
        self._stop()
        if any(path.parent.name == "migrations" for path in changed):
            try:
                self._migrate()
            except LaunchError as error:
                self._say(str(error))
        for program in self.programs:
            program.launch_again()

    def _stop(self) -> None:
        for program in self.programs:
            program.ask_to_stop()
        for program in self.programs:
            program.stop()
