"""`python -m config.embedded exec|up|start|stop|kill`: the embedded servers from a terminal."""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

from config.embedded import control
from config.embedded.errors import LaunchError
from config.embedded.home import Home
from config.embedded.program import TICK_SECONDS
from config.embedded.services import Services

CONTROLS = {"start": control.start, "stop": control.stop, "kill": control.kill}
DEFAULT_HOME = os.environ.get("WSM_HOME") or "var"


def main() -> int:
    arguments = parse(sys.argv[1:])
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _interrupt)
    try:
        if arguments.action == "exec":
            return _exec(arguments)
        home = Home(Path(arguments.home).resolve())
        if arguments.action == "up":
            return _up(home, fast=arguments.fast)
        CONTROLS[arguments.action](home, arguments.name)
    except LaunchError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


def parse(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m config.embedded", description=__doc__)
    actions = parser.add_subparsers(dest="action", required=True)
    for action, text in (("up", "run the servers until Ctrl-C"), ("exec", "run the servers for as long as one command")):
        added = actions.add_parser(action, help=text)
        added.add_argument("--home", default=DEFAULT_HOME if action == "up" else None, help="folder for their data")
        added.add_argument("--fast", action="store_true", help="do not wait for the disk: for tests")
        if action == "exec":
            added.add_argument("command", nargs="+", metavar="COMMAND", help="after --; without --home in a folder that is deleted")
    for action in CONTROLS:
        added = actions.add_parser(action, help=f"{action} one server of a run that is up")
        added.add_argument("name", choices=["postgres", "valkey", "graph"])
        added.add_argument("--home", default=DEFAULT_HOME)
    return parser.parse_args(argv)


def _exec(arguments: argparse.Namespace) -> int:
    if arguments.home is not None:
        return _run(Home(Path(arguments.home).resolve()), fast=arguments.fast, command=arguments.command)
    with tempfile.TemporaryDirectory(prefix="wsm-") as folder:
        return _run(Home(Path(folder)), fast=arguments.fast, command=arguments.command)


def _run(home: Home, *, fast: bool, command: Sequence[str]) -> int:
    with Services.start(home, say=_say, fast=fast) as services:
        variables = {"SECRET_KEY": home.secret("secret_key"), "WSM_HOME": str(home.path), **os.environ, **services.environment}
        process = subprocess.Popen(command, env=variables)
        while True:
            try:
                return process.wait(TICK_SECONDS)
            except subprocess.TimeoutExpired:
                services.tick()
            except KeyboardInterrupt:
                process.terminate()  # a Ctrl-C in the terminal has reached the command as well


def _up(home: Home, *, fast: bool) -> int:
    with Services.start(home, say=_say, fast=fast) as services:
        _say(f"The addresses are in {home.services_env}. Ctrl-C stops the servers.")
        while True:
            services.tick()
            time.sleep(TICK_SECONDS)


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main())
