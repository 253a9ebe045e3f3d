"""`make bench-imports`: 10,000 items of each product's export with malformed ones in between, killed in the middle,
continued, compared with the file, and imported again."""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.db import connection

from bench.export_parts import USUAL_SPACE, ExpectedItem, WrittenExport
from bench.foreign_exports import WRITERS
from bench.memory_loader import owner_of
from bench.rest_client import HOME
from bench.timing import machine
from conversations.models import Message
from core.clock import utc_now
from core.space_ids import SHARED
from memory.models import Memory
from ontology.models import GOVERNED_TYPES, Edge, Node
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope
from workspaces.keys.services import create_key
from workspaces.models import Space

ITEMS, MALFORMED = 10_000, 20
WSM = [sys.executable, "-c", "from workspace_memory.cli import main; main()", "import"]
LONGEST_SECONDS = 1_800
# The server is done with what it was at once nobody is inside a transaction in so many looks, one after the other.
QUIET_LOOKS, SECONDS_OF_A_LOOK = 10, 0.3
AT_WORK = """
    SELECT count(*) FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
       AND state <> 'idle'
"""

HEAD = ("format", "items", "killed at", "went on", "a second", "malformed", "exit", "wrong", "again", "")


@dataclass(frozen=True, slots=True)
class ImportResult:
    """What became of one export: items after the kill, seconds of the second run, how many malformed entries it named,
    and in how many items what is stored differs from the file in content, owner or date."""

    format: str
    items: int
    after_kill: int
    seconds: float
    created: int
    malformed: int
    named: int
    exit_code: int
    wrong: int
    again: int

    @property
    def is_right(self) -> bool:
        """Whether it was killed in the middle, and everything is there once, as the file has it."""
        is_cut = 0 < self.after_kill < self.items
        is_whole = self.after_kill + self.created == self.items and self.named == self.malformed
        return is_cut and is_whole and not (self.wrong or self.again or self.exit_code)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", choices=WRITERS)
    parser.add_argument("--items", type=int, default=ITEMS)
    options = parser.parse_args()
    results = []
    print(_row(*HEAD))
    for format, write in WRITERS.items():
        if options.only in {None, format}:
            with tempfile.TemporaryDirectory() as folder:
                results.append(_measure(format, write(Path(folder), options.items, MALFORMED)))
            print(_line(results[-1]), flush=True)
    print(machine())
    report = {"machine": machine(), "results": [asdict(one) for one in results]}
    (HOME / "bench-imports.json").write_text(json.dumps(report, indent=1))
    if not all(one.is_right for one in results):
        sys.exit(1)


def _measure(format: str, written: WrittenExport) -> ImportResult:
    caller, first = owner_of(f"Bench import {format} {time.time_ns()}"), utc_now()
    environment = _environment(caller)
    after_kill = _kill_in_the_middle(written, caller, environment)
    began = time.perf_counter()
    exit_code, told = _imported(written, environment)
    seconds = time.perf_counter() - began
    expected, stored = Counter(written.expected), Counter(_stored_items(caller, before=first))
    return ImportResult(
        format,
        items=written.items,
        after_kill=after_kill,
        seconds=seconds,
        created=told["created"],
        malformed=len(written.malformed),
        named=len({one["where"] for one in told["details"]}.intersection(written.malformed)),
        exit_code=exit_code,
        wrong=(expected - stored).total() + (stored - expected).total(),
        again=_imported(written, environment)[1]["created"],
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
    quiet = 0
    while quiet < QUIET_LOOKS:  # the server may still be at the request that was under way
        time.sleep(SECONDS_OF_A_LOOK)
        quiet = 0 if _is_at_work() else quiet + 1
    return _stored(caller)


def _is_at_work() -> bool:
    """Return whether another connection to the database is inside a transaction."""
    with connection.cursor() as cursor:
        cursor.execute(AT_WORK)
        return bool(cursor.fetchone()[0])


def _imported(written: WrittenExport, environment: dict[str, str]) -> tuple[int, dict[str, Any]]:
    command = [*WSM, str(written.path), "--json"]
    done = subprocess.run(command, env=environment, capture_output=True, check=False, timeout=LONGEST_SECONDS)
    return done.returncode, json.loads(done.stdout)


def _stored(caller: Caller) -> int:
    everywhere = caller.in_every_space()
    with workspace_scope(everywhere):
        nodes = Node.objects.of(everywhere).exclude(type__in=sorted(GOVERNED_TYPES))
        kinds = (Message.objects.of(everywhere), Memory.objects.of(everywhere), nodes, Edge.objects.of(everywhere))
        return sum(kind.count() for kind in kinds)


def _stored_items(caller: Caller, *, before: datetime) -> Iterator[ExpectedItem]:
    """Yield what is stored and holds, with its date, where it is `before` the import: else it is that of the import."""
    everywhere = caller.in_every_space()
    with workspace_scope(everywhere):
        names = {space.id: str(space.parsed_name) for space in Space.objects.of(everywhere)} | {SHARED: USUAL_SPACE}
        messages = Message.objects.of(everywhere).values_list("role", "content", "space_id", "created_at")
        nodes = Node.objects.of(everywhere).filter(is_deleted=False, valid_to=None)
        texts = nodes.filter(type__in=GOVERNED_TYPES).values_list("type", "body", "space_id", "created_at")
        things = nodes.exclude(type__in=GOVERNED_TYPES).values_list("type", "name", "space_id", "created_at")
        for kind, text, space, at in [*messages, *texts, *things]:
            yield ExpectedItem(kind, text, names[space], at.replace(microsecond=0) if at < before else None)
        edges = Edge.objects.of(everywhere).values_list("source__name", "type", "target__name", "space_id")
        for source, kind, target, space in edges:
            yield ExpectedItem("edge", f"{source} {kind} {target}", names[space])


def _line(one: ImportResult) -> str:
    return _row(
        one.format,
        f"{one.items:,}",
        f"{one.after_kill:,}",
        f"{one.seconds:.1f} s",
        f"{one.created / one.seconds:,.0f}",
        f"{one.named} of {one.malformed}",
        one.exit_code,
        one.wrong,
        one.again,
        "ok" if one.is_right else "WRONG",
    )


def _row(format: object, *cells: object) -> str:
    return f"{format:<18}" + "".join(f" {cell:>10}" for cell in cells)


if __name__ == "__main__":
    main()
