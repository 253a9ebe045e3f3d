"""`wsm bench`: how long the server takes from here to remember, to search and to make a context."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from uuid import uuid4

import click

from workspace_memory.cli.command_base import as_json, connected, printed_json
from workspace_memory.cli.output import table
from workspace_memory.cli.progress import progress_bar
from workspace_memory.sync.client import Memory

# Sentences that share words, as memories of one subject do.
SUBJECTS = ("oven", "mixer", "counter", "delivery van", "cold room", "till", "flour store", "proving room")
STATES = ("is cleaned on Mondays", "runs ten degrees hot", "was repaired in spring", "has a spare key in the office")


@dataclass(frozen=True, slots=True)
class Latency:
    """Milliseconds of one kind of call, network included."""

    call: str
    calls: int
    median_ms: float
    p95_ms: float
    max_ms: float


@click.command()
@click.option("--calls", type=click.IntRange(2, 1_000), default=20, show_default=True, help="Calls of each kind.")
@as_json
def bench(calls: int, as_json: bool) -> None:
    """Measure the latency of remember, search and context from here: calls, median, 95th percentile, maximum.

    It writes into a space of its own, `bench:…`, and forgets what it wrote.
    """
    space = f"bench:{uuid4().hex[:8]}"
    with connected() as client, progress_bar("Measuring", "calls") as tell:
        here = client.in_space(space, shared=False)
        here.workspace()  # the connection is made before the first call is timed
        written: list[str] = []
        try:
            latencies = _measure(here, calls, written, tell)
        finally:
            for id in written:
                here.memories.forget(id)
    if as_json:
        printed_json([asdict(latency) for latency in latencies])
        return
    rows = [
        (one.call, str(one.calls), *(f"{number:.1f}" for number in (one.median_ms, one.p95_ms, one.max_ms)))
        for one in latencies
    ]
    table(["call", "calls", "median ms", "p95 ms", "max ms"], rows)


def _measure(here: Memory, calls: int, written: list[str], tell: Callable[[int, int], None]) -> list[Latency]:
    kinds: dict[str, Callable[[str], object]] = {
        "remember": lambda text: written.append(here.write(text).id),
        "search": lambda text: here.search(text, limit=5),
        "context": lambda text: here.context(text, token_budget=800),
    }
    found = []
    for place, (name, call) in enumerate(kinds.items()):
        times = []
        for number in range(calls):
            text = f"Number {number}: the {SUBJECTS[number % 8]} {STATES[number // 8 % 4]}."
            began = time.perf_counter()
            call(text)
            times.append((time.perf_counter() - began) * 1000)
            tell(place * calls + number + 1, 3 * calls)
        found.append(_latency(name, times))
    return found


def _latency(name: str, times: list[float]) -> Latency:
    p95 = statistics.quantiles(times, n=20, method="inclusive")[18]
    return Latency(name, len(times), *(round(each, 1) for each in (statistics.median(times), p95, max(times))))
