"""`make bench-actions`: how many actions a second REST takes in batches, and what capture adds to one call."""

from __future__ import annotations

import json
import os
import statistics
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from uuid import uuid4

import httpx

HOME = Path(os.environ.get("WSM_HOME", "var"))
BATCH = 1_000
SECONDS = 15.0
CLIENTS = 2
CALLS = 400
MIN_PER_SECOND, MAX_ADDED_MS = 2_000, 2.0


def main() -> None:
    demo = json.loads((HOME / "demo.json").read_text())
    base = f"{demo['url']}/v1/workspaces/{demo['workspace_id']}/"
    client = partial(httpx.Client, base_url=base, headers={"Authorization": f"Bearer {demo['api_key']}"}, timeout=60)
    with client() as rest:
        _switch(rest, on=True)
        taken = _count_per_second(client)
        added = _capture_cost(rest)
    print(f"\n{'':36}{'measured':>12}{'target':>10}")
    print(f"{f'actions a second, batches of {BATCH:,}':36}{taken:>12,.0f}{f'≥ {MIN_PER_SECOND:,}':>10}")
    print(f"{'capture adds to a call, ms (median)':36}{added:>12.2f}{f'≤ {MAX_ADDED_MS:g}':>10}")
    print(f"\n{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; {CLIENTS} clients next to the server")


def _count_per_second(client: Callable[[], httpx.Client]) -> float:
    started = time.perf_counter()
    with ThreadPoolExecutor(CLIENTS) as clients:
        numbers = list(clients.map(lambda _: _report(client, started + SECONDS), range(CLIENTS)))
    return sum(numbers) / (time.perf_counter() - started)


def _report(client: Callable[[], httpx.Client], until: float) -> int:
    """Report batches of forty sessions until then; return the number of actions that were kept."""
    kept = 0
    with client() as rest:
        while time.perf_counter() < until:
            mark = uuid4().hex
            batch = [
                {
                    "session": f"{mark}-{number % 40}",
                    "agent": "bench",
                    "action_type": "tool_call",
                    "tool": "invoices.create",
                    "node_type": "invoice",
                    "node_ids": [str(uuid4())],
                    "outcome": "failure" if number % 10 == 0 else "success",
                    "error_code": "timeout" if number % 10 == 0 else "",
                    "latency_ms": 12.5,
                }
                for number in range(BATCH)
            ]
            kept += rest.post("actions", json={"actions": batch}).raise_for_status().json()["captured"]
    return kept


def _capture_cost(rest: httpx.Client) -> float:
    """The median of a call with memory on less that with it off, in turns, so that both see the same machine."""
    times: dict[bool, list[float]] = {True: [], False: []}
    for turn in range(8):
        is_on = turn % 2 == 0
        _switch(rest, on=is_on)
        for _ in range(CALLS // 4):
            started = time.perf_counter()
            rest.get("memories", params={"limit": 1}).raise_for_status()
            times[is_on].append((time.perf_counter() - started) * 1000)
    _switch(rest, on=True)
    return statistics.median(times[True]) - statistics.median(times[False])


def _switch(rest: httpx.Client, *, on: bool) -> None:
    rest.put("settings", json={"memory": {"enabled": on}}).raise_for_status()


if __name__ == "__main__":
    main()
