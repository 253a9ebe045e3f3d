"""`make bench-imports`: 10,000 items of each product's export, killed in the middle, continued, and imported again."""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from bench.foreign_exports import WRITERS, WrittenExport
from bench.memory_loader import owner_of
from bench.rest_client import HOME
from bench.timing import machine
from conversations.models import Message
from memory.models import Memory
from ontology.models import GOVERNED_TYPES, Edge, Node
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope
from workspaces.keys.services import create_key

ITEMS = 10_000
WSM = [sys.executable, "-c", "from workspace_memory.cli import main; main()", "import"]
LONGEST_SECONDS = 1_800
SECONDS_OF_A_REQUEST = 15


@dataclass(frozen=True, slots=True)
class ImportResult:
    """What became of one export: items after the kill, seconds of the second run, and whether all is there once."""

    format: str
    items: int
    after_kill: int
    seconds: float
    created: int
    stored: int
    again: int

    @property
    def is_right(self) -> bool:
        """Whether it was killed in the middle, and everything is there once."""
        is_cut = 0 < self.after_kill < self.items
        return is_cut and self.after_kill + self.created == self.stored == self.items and self.again == 0


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", choices=WRITERS)
    parser.add_argument("--items", type=int, default=ITEMS)
    options = parser.parse_args()
    results = []
    for format, write in WRITERS.items():
        if options.only in {None, format}:
            with tempfile.TemporaryDirectory() as folder:
                results.append(_measure(format, write(Path(folder), options.items)))
            print(_line(results[-1]), flush=True)
    print(machine())
    report = {"machine": machine(), "results": [asdict(one) for one in results]}
    (HOME / "bench-imports.json").write_text(json.dumps(report, indent=1))
    if not all(one.is_right for one in results):
        sys.exit(1)


def _measure(format: str, written: WrittenExport) -> ImportResult:
    caller = owner_of(f"Bench import {format} {time.time_ns()}")
    environment = _environment(caller)
    after_kill = _kill_in_the_middle(written, caller, environment)
    began = time.perf_counter()
    created = _imported(written, environment)
    seconds = time.perf_counter() - began
    stored = _stored(caller)
    return ImportResult(
        format, written.items, after_kill, seconds, created, stored, again=_imported(written, environment)
    )


def _environment(caller: Caller) -> dict[str, str]:
    demo = json.loads((HOME / "demo.json").read_text())
    secret = create_key(caller=caller, name="bench", scopes=[Right.READ, Right.WRITE]).secret
    named = {"WSM_URL": demo["url"], "WSM_KEY": secret, "WSM_WORKSPACE": str(caller.workspace_id)}
    return {**os.environ, **named, "PYTHONPATH": "client"}


def _kill_in_the_middle(written: WrittenExport, caller: Caller, environment: dict[str, str]) -> int:
    """Kill the first run once a third is there, and return how many items were by then."""
    with subprocess.Popen([*WSM, str(written.path)], env=environment, stdout=subprocess.DEVNULL) as process:
        while process.poll() is None and _stored(caller) < written.items / 3:
            time.sleep(0.05)
        process.send_signal(signal.SIGKILL)
    before, after = -1, _stored(caller)
    while before != after:  # the server may still be at the request that was under way
        time.sleep(SECONDS_OF_A_REQUEST)
        before, after = after, _stored(caller)
    return after


def _imported(written: WrittenExport, environment: dict[str, str]) -> int:
    command = [*WSM, str(written.path), "--json"]
    done = subprocess.run(command, env=environment, capture_output=True, check=True, timeout=LONGEST_SECONDS)
    told: dict[str, Any] = json.loads(done.stdout)
    return int(told["created"])


def _stored(caller: Caller) -> int:
    everywhere = caller.in_every_space()
    with workspace_scope(everywhere):
        nodes = Node.objects.of(everywhere).exclude(type__in=sorted(GOVERNED_TYPES))
        kinds = (Message.objects.of(everywhere), Memory.objects.of(everywhere), nodes, Edge.objects.of(everywhere))
        return sum(kind.count() for kind in kinds)


def _line(one: ImportResult) -> str:
    rate = one.created / one.seconds
    verdict = "ok" if one.is_right else "WRONG"
    return (
        f"{one.format:<18} {one.items:>7,} items, killed at {one.after_kill:>6,}, went on {one.seconds:6.1f} s "
        f"({rate:5.0f} a second), stored {one.stored:>7,}, again {one.again}: {verdict}"
    )


if __name__ == "__main__":
    main()
