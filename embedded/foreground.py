"""Living in a terminal: what a signal does, and a command to run next to what is up."""

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from types import FrameType

from embedded.program import TICK_SECONDS

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def end_on_signals() -> None:
    """Let Ctrl-C, `kill` and a closed terminal end the run alike: as KeyboardInterrupt, once."""
    for number in SIGNALS:
        if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:  # ignored: it was started by nohup
            signal.signal(number, _interrupt)


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)  # another Ctrl-C must not cut the ending short
    raise KeyboardInterrupt


def run_with_ticks(command: Sequence[str], *, environment: Mapping[str, str], tick: Callable[[], None]) -> int:
    """Run `command` in this terminal until it ends, calling `tick` meanwhile; returns its exit code."""
    process = subprocess.Popen(command, env=environment)
    try:
        while process.poll() is None:
            tick()
            time.sleep(TICK_SECONDS)
    except KeyboardInterrupt:
        # A Ctrl-C has reached the command as well: let it clean up before the next signal, and then made to.
        for insist, patience in ((process.terminate, 3), (process.kill, 10)):
            try:
                return process.wait(patience)
            except subprocess.TimeoutExpired:
                insist()
    return process.wait()


def say(line: str) -> None:
    """To standard error: what a command prints on standard output stays its own."""
    sys.stderr.write(f"{line}\n")
