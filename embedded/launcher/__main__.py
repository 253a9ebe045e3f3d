"""`python -m embedded.launcher`: the whole product until Ctrl-C, or with `-- COMMAND` while that command runs."""

import argparse
import json
import os
import shlex
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from embedded import Home, LaunchError
from embedded.foreground import end_on_signals, run_with_ticks, say
from embedded.home import is_free, refuse_full_disk
from embedded.launcher.log_tail import Tail
from embedded.launcher.product import Product
from embedded.launcher.web_and_worker import ROOT, port_in_use
from embedded.program import TICK_SECONDS


def main() -> int:
    arguments = parse(sys.argv[1:])
    home = Home(Path(os.environ.get("WSM_HOME") or ROOT / "var").resolve())
    end_on_signals()
    began, parent = time.monotonic(), os.getppid()
    try:
        with refuse_full_disk(home):
            home.prepare()
            if arguments.command and home.is_supervised():  # a `make run` is up: the command finds it by its files
                return subprocess.run(arguments.command, env=home.environment({}), check=False).returncode
            port = home.port("web") if arguments.free_port else int(os.environ.get("PORT") or 8000)
            if not is_free(port):
                raise LaunchError(port_in_use(port))
            if os.geteuid() == 0:
                say(
                    "Running as root, and so do web, worker, Valkey and the graph server: use an ordinary user instead."
                )
            reloads = os.environ.get("RELOAD", "") not in {"", "0"} and not arguments.command
            with Product.start(home=home, port=port, say=say, reloads=reloads) as product:
                if arguments.command:
                    return run_with_ticks(arguments.command, environment=product.environment, tick=product.tick)
                serve(product, began=began, parent=parent)
    except LaunchError as error:
        say(str(error))
        return 1
    except KeyboardInterrupt:
        say("Stopped.")
    return 0


def parse(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m embedded.launcher", description=__doc__)
    parser.add_argument("--free-port", action="store_true", help="any free port, instead of PORT")
    parser.add_argument("command", nargs="*", metavar="COMMAND", help="after --")
    return parser.parse_args(argv)


def describe_access(home: Home) -> str:
    """Return what a person at a terminal needs to enter the demo workspaces; a log does not get the password and the
    key."""
    demo = json.loads((home.path / "demo.json").read_text())
    return (
        f"Open       {demo['url']}\n"
        f"Sign in    {demo['email']}  {demo['password']}\n"
        f"API key    {demo['api_key']}\n"
        f"Workspace  {demo['workspace_id']}\n"
        f"Staff      {demo['staff']['email']}  {demo['staff']['password']}  at {demo['url']}/admin/\n"
        f"All of it is in {home.path / 'demo.json'}, and about an invented bakery, for looking around.\n"
        f"A memory of your own, for your agents, in a second terminal:  make workspace{_named_home(home)}\n"
    )


def _named_home(home: Home) -> str:
    """Return the setting that names the folder to `make`, where it is not the default."""
    return "" if home.path == ROOT / "var" else f" WSM_HOME={shlex.quote(str(home.path))}"


def serve(product: Product, *, began: float, parent: int) -> None:
    log = Tail(product.home.log("web"))
    say(describe_access(product.home) if sys.stderr.isatty() else product.home.log("create_demo").read_text())
    say(f"Serving http://127.0.0.1:{product.web.port} after {time.monotonic() - began:.1f} s; Ctrl-C stops.")
    say(f"Logs are in {product.home.path / 'log'}; what the web server says follows.")
    while os.getppid() == parent:  # a `make` that was killed hard leaves nothing behind
        product.tick()
        log.show()
        time.sleep(TICK_SECONDS)


if __name__ == "__main__":
    sys.exit(main())
