"""`python -m config.launcher`: the whole product until Ctrl-C; with `-- COMMAND`, for as long as that command runs."""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from config.embedded import Home, LaunchError
from config.embedded.foreground import end_on_signals, run_beside, say
from config.embedded.home import is_free
from config.embedded.program import TICK_SECONDS
from config.launcher.log import Tail
from config.launcher.product import Product
from config.launcher.programs import ROOT


def main() -> int:
    arguments = parse(sys.argv[1:])
    home = Home(Path(os.environ.get("WSM_HOME") or ROOT / "var").resolve())
    end_on_signals()
    began, parent = time.monotonic(), os.getppid()
    try:
        home.prepare()
        if arguments.command and home.is_supervised():  # a `make run` is up: the command finds it by the files it left
            return subprocess.run(arguments.command, env=home.environment({}), check=False).returncode
        port = home.port("web") if arguments.free_port else int(os.environ.get("PORT") or 8000)
        if not is_free(port):
            raise LaunchError(f"Port {port} is in use: choose another one, such as make run PORT=8001.")
        with Product.started(home=home, port=port, say=say) as product:
            if arguments.command:
                return run_beside(arguments.command, environment=product.environment, tick=product.tick)
            serve(product, began=began, parent=parent)
    except LaunchError as error:
        say(str(error))
        return 1
    except KeyboardInterrupt:
        say("Stopped.")
    return 0


def parse(argv: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m config.launcher", description=__doc__)
    parser.add_argument("--free-port", action="store_true", help="any free port, instead of PORT")
    parser.add_argument("command", nargs="*", metavar="COMMAND", help="after --")
    return parser.parse_args(argv)


def serve(product: Product, *, began: float, parent: int) -> None:
    log = Tail(product.home.log("web"))
    say(product.home.log("create_demo").read_text())
    say(f"Serving http://127.0.0.1:{product.web.port} after {time.monotonic() - began:.1f} s; Ctrl-C stops.")
    say(f"Logs are in {product.home.path / 'log'}; what the web server says follows.")
    while os.getppid() == parent:  # a `make` that was killed hard leaves nothing behind
        product.tick()
        log.show()
        time.sleep(TICK_SECONDS)


if __name__ == "__main__":
    sys.exit(main())
