"""`python -m embedded exec|up|start|stop|kill`: the embedded servers from a terminal."""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from embedded import control
from embedded.errors import LaunchError
from embedded.foreground import end_on_signals, run_with_ticks, say
from embedded.home import Home, refuse_full_disk
from embedded.program import TICK_SECONDS
from embedded.server_group import Services

CONTROLS = {"start": control.start, "stop": control.stop, "kill": control.kill}


def main() -> int:
    arguments = parse(sys.argv[1:])
    end_on_signals()
    try:
        if arguments.home is None:
            with tempfile.TemporaryDirectory(prefix="wsm-") as folder:
                return act(arguments, home=Home(Path(folder)))
        home = Home(Path(arguments.home).resolve())
        with refuse_full_disk(home):
            return act(arguments, home=home)
    except LaunchError as error:
        say(str(error))
        return 1
    except KeyboardInterrupt:
        return 130


def parse(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m embedded", description=__doc__)
    actions = parser.add_subparsers(dest="action", required=True)
    default = os.environ.get("WSM_HOME") or "var"

    up = actions.add_parser("up", help="run the servers until Ctrl-C")
    up.add_argument("--home", default=default, help="folder of their data")
    execute = actions.add_parser("exec", help="run the servers for as long as one command, or use those that are up")
    execute.add_argument("--home", help="folder of their data; without it, one that is deleted afterwards")
    execute.add_argument("command", nargs="+", metavar="COMMAND", help="after --")
    for action in (up, execute):
        action.add_argument("--fast", action="store_true", help="do not wait for the disk: for tests")

    for name in CONTROLS:
        added = actions.add_parser(name, help=f"{name} one server of a run that is up")
        added.add_argument("name", choices=["postgres", "valkey", "graph"])
        added.add_argument("--home", default=default)
    return parser.parse_args(argv)


def act(arguments: argparse.Namespace, *, home: Home) -> int:
    if control_server := CONTROLS.get(arguments.action):
        control_server(home, arguments.name)
        return 0
    if arguments.action == "exec" and home.services_env.exists() and home.is_supervised():
        environment = home.environment(home.addresses())  # the servers of an `up`, which stay when the command ends
        return subprocess.run(arguments.command, env=environment, check=False).returncode
    with Services.start(home, say=say, fast=arguments.fast) as services:
        if arguments.action == "exec":
            variables = home.environment(services.environment)
            if services.is_first_start:
                home.keep_secret_key()
            return run_with_ticks(arguments.command, environment=variables, tick=services.tick)
        say(f"The addresses are in {home.services_env}. Ctrl-C stops the servers.")
        while True:
            services.tick()
            time.sleep(TICK_SECONDS)


if __name__ == "__main__":
    sys.exit(main())
