"""`make bench-truth`: updates and traps through HTTP: is the newer value in the context, and the older one not?

Each pair is written into a space of its own, the older memory first. Contexts are asked once everything has its vector.
The rules were built from all of these pairs: what they do with others is in docs/why/truth.md. Further lines that rules
were made with are decided in this process alone.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

import django
import httpx

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from bench import replacement_new_cases
from bench.memory_loader import owner_of
from bench.replacement_cases import Pair, traps, updates
from bench.rest_client import HOME, rest_as
from bench.timing import machine, median_and_p95
from memory.memories.replacement.decision import Succession, decide
from ontology.models import Node
from workspaces.access.callers import Caller, maintenance_caller
from workspaces.access.scope import workspace_scope

LONGEST_WAIT_SECONDS = 600
MAX_WRONG = 0.01


def main() -> None:
    print(machine())
    caller = owner_of(f"What is true now, {time.time():.0f}")
    with rest_as(caller) as rest:
        pairs, counter = updates(), traps()
        times: list[float] = []
        written = [_write(rest, pair, f"update:{place}", times) for place, pair in enumerate(pairs)]
        traps_written = [_write(rest, pair, f"trap:{place}", times) for place, pair in enumerate(counter)]
        _wait_for_vectors(caller)
        shares = _report_updates(rest, pairs, written)
        wrong = _report_traps(rest, counter, traps_written)
    _report_fitted()
    print("a write takes p50 {} ms, p95 {} ms".format(*median_and_p95(times)))
    report = HOME / "bench-truth.json"
    report.write_text(json.dumps({"machine": machine(), "updates": shares, "wrongly closed": wrong}, indent=1))
    print(report)
    sys.exit(1 if wrong > MAX_WRONG else 0)


def _write(rest: httpx.Client, pair: Pair, space: str, times: list[float]) -> tuple[str, str, str]:
    """Write both memories, the older first; return their ids and their space."""
    ids = []
    for text in (pair.old, pair.new):
        started = time.perf_counter()
        answer = rest.post("memories", json={"content": text, "space": space}).raise_for_status()
        times.append((time.perf_counter() - started) * 1000)
        ids.append(answer.json()["id"])
    return ids[0], ids[1], space


def _wait_for_vectors(caller: Caller) -> None:
    everywhere, deadline = maintenance_caller(caller.workspace_id, "bench"), time.monotonic() + LONGEST_WAIT_SECONDS
    while True:
        with workspace_scope(everywhere):
            waiting = Node.objects.filter(workspace_id=caller.workspace_id, needs_embedding=True).count()
        if not waiting:
            return
        if time.monotonic() > deadline:
            raise TimeoutError(f"{waiting} memories have no vector. Is the worker running?")
        time.sleep(1)


def _report_updates(
    rest: httpx.Client, pairs: Sequence[Pair], written: Sequence[tuple[str, str, str]]
) -> dict[str, dict[str, float]]:
    current: dict[str, list[bool]] = defaultdict(list)
    closed: dict[str, list[bool]] = defaultdict(list)
    for pair, (old, new, space) in zip(pairs, written, strict=True):
        items = list(_items(rest, pair.question, space))
        for name in (pair.half, f"{pair.half}, {pair.kind}"):
            current[name].append(items[:1] == [new] and old not in items)
            closed[name].append(_closer(rest, old, space) == new)
    for name, are_current in current.items():
        print(
            f"{name:24} n {len(are_current):3}   current first and alone {_percent(are_current)}   "
            f"old one closed {_percent(closed[name])}"
        )
    return {
        name: {"n": len(are_current), "current": sum(are_current) / len(are_current), "closed": sum(closed[name])}
        for name, are_current in current.items()
    }


def _report_traps(rest: httpx.Client, pairs: Sequence[Pair], written: Sequence[tuple[str, str, str]]) -> float:
    closed: dict[str, list[bool]] = defaultdict(list)
    for pair, (old, new, space) in zip(pairs, written, strict=True):
        is_wrong = any(_closer(rest, each, space) is not None for each in (old, new))
        closed[pair.kind].append(is_wrong)
        if is_wrong:
            print(f"wrongly closed: {pair.old} | {pair.new}")
    for kind, wrong in closed.items():
        print(f"{kind:24} n {len(wrong):3}   wrongly closed {_percent(wrong)}")
    every = [one for wrong in closed.values() for one in wrong]
    print(f"{'all traps':24} n {len(every):3}   wrongly closed {_percent(every)}")
    return sum(every) / len(every)


def _report_fitted() -> None:
    decided: dict[bool, list[bool]] = defaultdict(list)
    for case in replacement_new_cases.fitted():
        decided[case.is_update].append(decide(case.old, case.new).outcome == Succession.REPLACES)
    print(f"{'fitted lines':24} n {len(decided[True]):3}   closed {_percent(decided[True])}")
    print(f"{'fitted traps':24} n {len(decided[False]):3}   wrongly closed {_percent(decided[False])}")


def _items(rest: httpx.Client, question: str, space: str) -> Iterator[str]:
    body: dict[str, Any] = {"query": question, "space": space, "shared": False}
    answer = rest.post("context", json=body).raise_for_status().json()
    for block in answer["blocks"]:
        if block["name"] in {"facts", "memories"}:
            yield from (item["id"] for item in block["items"])


def _closer(rest: httpx.Client, memory_id: str, space: str) -> str | None:
    answer = rest.get(f"memories/{memory_id}", params={"space": space}).raise_for_status().json()
    closer: str | None = answer["superseded_by"]
    return closer


def _percent(outcomes: Sequence[bool]) -> str:
    return f"{100 * sum(outcomes) / len(outcomes):5.1f} %"


if __name__ == "__main__":
    main()
