"""`make bench-fairness`: how long a new memory waits for its vector while another workspace imports 10,000 messages."""

from __future__ import annotations

import json
import os
import time
from concurrent.futures import ThreadPoolExecutor

import django
import httpx

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from bench.corpus import World
from bench.memory_loader import owner_of
from bench.rest_client import HOME, rest_as
from bench.timing import machine
from conversations.models import Message
from workspaces.access.callers import Caller
from workspaces.access.scope import workspace_scope

MESSAGES, BATCH = 10_000, 1_000
MEMORIES = 15
TARGET_SECONDS = 5.0
LONGEST_WAIT_SECONDS = 120


def main() -> None:
    bulk, neighbour = owner_of("Bench bulk"), owner_of("Bench neighbour")
    with rest_as(bulk) as many, rest_as(neighbour) as few, ThreadPoolExecutor(1) as other:
        _seconds_until_found(few, f"Cafeteria {time.time_ns()} serves hot beverages.")  # the worker loads its model
        importing = other.submit(_append_all, many)
        while not _backlog(bulk) and not importing.done():
            time.sleep(0.05)
        waits: list[float] = []
        while len(waits) < MEMORIES and (backlog := _backlog(bulk)):
            waits.append(_seconds_until_found(few, f"Rain came through roof {time.time_ns()} last night."))
            print(f"found by meaning after {waits[-1]:5.2f} s, {backlog:>6,} messages waiting elsewhere", flush=True)
        print(f"{MESSAGES:,} messages were taken in within {importing.result():.1f} s")
    print(f"\nlongest {max(waits):.2f} s of {len(waits)} (target: under {TARGET_SECONDS:g} s)")
    print(machine())
    report = {"machine": machine(), "seconds": waits}
    (HOME / "bench-fairness.json").write_text(json.dumps(report, indent=1))


def _append_all(rest: httpx.Client) -> float:
    texts = [" ".join(text.words) for text in World().texts(seed=time.time_ns() % 1_000, count=MESSAGES)]
    began = time.perf_counter()
    for at in range(0, MESSAGES, BATCH):
        messages = [{"role": "user", "content": text} for text in texts[at : at + BATCH]]
        rest.post("conversations/import/messages", json={"messages": messages}).raise_for_status()
    return time.perf_counter() - began


def _seconds_until_found(rest: httpx.Client, text: str) -> float:
    """Seconds from the answer to the memory's POST until a search by meaning alone finds it."""
    created = rest.post("memories", json={"content": text})
    created.raise_for_status()
    memory_id, began = created.json()["id"], time.perf_counter()
    while (waited := time.perf_counter() - began) < LONGEST_WAIT_SECONDS:
        found = (
            rest.post("memories/search", json={"query": text, "mode": "semantic", "limit": 200})
            .raise_for_status()
            .json()
        )
        if memory_id in [hit["memory"]["id"] for hit in found["results"]]:
            return time.perf_counter() - began
        time.sleep(0.05)
    raise TimeoutError(f"Not found by meaning after {waited:.0f} s. Is the worker running?")


def _backlog(caller: Caller) -> int:
    with workspace_scope(caller):
        return Message.objects.filter(workspace_id=caller.workspace_id, needs_embedding=True).count()


if __name__ == "__main__":
    main()
