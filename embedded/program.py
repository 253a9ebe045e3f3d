"""One child process that is started, watched, started again when it dies, and ended."""

import signal
import subprocess
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable
from typing import ClassVar

from embedded.errors import LaunchError
from embedded.home import Home
from embedded.processes import Command, end_recorded, spawn, write_record

Say = Callable[[str], None]

STARTS_PER_MINUTE = 5
PAUSE_SECONDS = 1.0
START_SECONDS = 120
TICK_SECONDS = 0.1


class Program(ABC):
    name: ClassVar[str]
    stop_signal: ClassVar[signal.Signals] = signal.SIGTERM
    stop_seconds: ClassVar[float] = 8

    def __init__(self, *, home: Home, say: Say) -> None:
        self.home = home
        self.say = say
        self.is_ready = False
        self._log = home.log(self.name)
        self._process: subprocess.Popen[bytes] | None = None
        self._starts: deque[float] = deque(maxlen=STARTS_PER_MINUTE)

    @abstractmethod
    def command(self) -> Command: ...

    @abstractmethod
    def accepts(self) -> bool:
        """Return whether it is ready to be used; asked again and again after a start, until it is."""

    def prepare(self) -> None:  # noqa: B027  # many need nothing
        """Make data and configuration ready; runs before every start, whatever a crash left behind."""

    def describe(self) -> str:
        return "ready"

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def has_ended(self) -> bool:
        return self._process is not None and self._process.poll() is not None

    @property
    def process_id(self) -> int:
        """The id of its process, 0 while it was never started."""
        return self._process.pid if self._process else 0

    def launch(self) -> None:
        self.is_ready = False
        self.home.ready(self.name).unlink(missing_ok=True)
        end_recorded(self.home.record(self.name), first=self.stop_signal)
        self.prepare()
        self._starts.append(time.monotonic())
        self._process = spawn(self.command(), log=self._log)
        write_record(self.home.record(self.name), self._process.pid)

    def start(self) -> None:
        """Start it, or start it again after `stop` or `kill`, and wait until it answers."""
        self.launch_again()
        self.await_ready()

    def launch_again(self) -> None:
        """Start it after `stop`, without waiting; earlier deaths are forgotten."""
        self.home.hold(self.name).unlink(missing_ok=True)
        self._starts.clear()
        self.launch()

    def await_ready(self) -> None:
        while not self.is_ready:
            self.tick()
            if not self.is_ready:
                self.refuse_hopeless_start()
            time.sleep(TICK_SECONDS)

    def refuse_hopeless_start(self) -> None:
        """Raise LaunchError when it died too often, or runs for minutes without answering."""
        is_late = time.monotonic() - self._starts[-1] > START_SECONDS
        if is_late or self.home.hold(self.name).exists():
            raise LaunchError(f"{self.name} does not start: {self.home.last_words(self.name)}.")

    def tick(self) -> None:
        """Look after it: notice that it answers, or that it died."""
        if self.is_running:
            if not self.is_ready and self.accepts():
                self._become_ready()
            return
        self.is_ready = False
        if self.home.hold(self.name).exists():
            self._process = None  # it is wanted down, so its end is expected
        else:
            self._start_again()

    def _become_ready(self) -> None:
        self.is_ready = True
        self.home.ready(self.name).touch()
        self.say(f"{self.name:<11} {self.describe()} after {time.monotonic() - self._starts[-1]:.1f} s")

    def _start_again(self) -> None:
        if self._starts and time.monotonic() - self._starts[-1] < PAUSE_SECONDS:
            return  # it died at once: what stood in its way may need a moment to go
        if len(self._starts) == STARTS_PER_MINUTE and time.monotonic() - self._starts[0] < 60:
            self.say(f"{self.name} died {STARTS_PER_MINUTE} times in a minute and stays down; see {self._log}.")
            self.home.hold(self.name).touch()
            return
        if self._process is not None:
            self.say(f"{self.name} ended unexpectedly ({_reason(self._process.returncode)}); starting it again.")
        self.launch()

    def ask_to_stop(self) -> None:
        """Say that it shall end, without waiting; `stop` waits."""
        self.home.hold(self.name).touch()
        if self._process is not None and self.is_running:
            self._process.send_signal(self.stop_signal)

    def stop(self) -> None:
        self.ask_to_stop()
        if self._process is not None:
            try:
                self._process.wait(self.stop_seconds)
            except subprocess.TimeoutExpired:
                self.say(f"{self.name} did not stop within {self.stop_seconds:.0f} s; killing it.")
        self.kill()

    def kill(self) -> None:
        """End it at once, as a crash would; it stays down until `start`."""
        self.home.hold(self.name).touch()
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        end_recorded(self.home.record(self.name))
        self.home.ready(self.name).unlink(missing_ok=True)
        self.is_ready = False


def _reason(code: int) -> str:
    return f"exit code {code}" if code >= 0 else signal.Signals(-code).name
