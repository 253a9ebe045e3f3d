"""The whole product on one machine: servers, migrations, demo data, web and worker, in that order."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Self

from config.embedded import Home, LaunchError, Services
from config.embedded.processes import Command, spawn
from config.embedded.program import TICK_SECONDS, Program, Say
from config.launcher.programs import Web, Worker, manage


class Product:
    def __init__(self, *, services: Services, say: Say, port: int) -> None:
        home = services.home
        self.home, self._services, self._say = home, services, say
        self.environment = {**home.environment(services.environment), "PORT": str(port)}
        self.web = Web(home=home, say=say, environment=self.environment)
        self.programs: list[Program] = [self.web, Worker(home=home, say=say, environment=self.environment)]

    @classmethod
    @contextmanager
    def started(cls, *, home: Home, port: int, say: Say) -> Iterator[Self]:
        """Everything up, until the block ends; raises LaunchError."""
        with Services.start(home, say=say) as services:
            product = cls(services=services, say=say, port=port)
            try:
                product._start()
                yield product
            finally:
                product._stop()

    def _start(self) -> None:
        self._step("migrate", manage("migrate", environment={**self.environment, "WSM_DATABASE_ROLE": "owner"}))
        for program in self.programs:
            self.home.hold(program.name).unlink(missing_ok=True)
            program.launch()
        self._step("create_demo", manage("create_demo", environment=self.environment))
        for program in self.programs:
            program.await_ready()

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

    def _stop(self) -> None:
        for program in self.programs:
            program.ask_to_stop()
        for program in self.programs:
            program.stop()
