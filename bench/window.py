"""`make bench-window`: the window of a conversation while an agent with tools works through 300 messages.

The loop is made up, and the same every time. After each message the prompt is built as an agent builds it from
`GET …/window`: the observations, then the messages that these do not stand for. Without a model: rules observe.
"""

from __future__ import annotations

import json
import os
import random
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import django
import httpx

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from bench.memory_loader import owner_of
from bench.rest_client import HOME, rest_as
from bench.timing import machine, median_and_p95, milliseconds
from core.ids import new_id
from core.text.tokens import count_tokens
from workspaces.settings.services import set_memory_enabled

MESSAGES = 300
# What a model takes to answer at the least; the worker observes meanwhile.
PAUSE_SECONDS = 0.25
TOPICS = ("invoices", "deliveries", "refunds", "contracts", "inspections", "reports", "bookings")
CITIES = ("Graz", "Oslo", "Porto", "Bergen", "Leeds", "Turin", "Ghent", "Malmö")
TARGETS = {
    "largest window, tokens": "≤ 70,000",
    "tokens observed ÷ of their observations": "≥ 5",
    "bytes unchanged from the turn before, %": "≥ 90",
}


@dataclass
class Replay:
    """What was seen of the loop so far."""

    appends: list[float] = field(default_factory=list)
    windows: list[float] = field(default_factory=list)
    largest: int = 0
    unchanged: int = 0
    whole: int = 0
    generation: int = 0
    prompt: bytes = b""
    shown: dict[str, Any] = field(default_factory=dict)


def main() -> None:
    caller = owner_of("Bench of windows")
    set_memory_enabled(caller=caller, enabled=True)
    replay, key, spoken = Replay(), f"loop-{new_id().hex[-8:]}", 0
    with rest_as(caller) as rest:
        for message in _loop():
            spoken += count_tokens(message["content"])
            _take_turn(rest, key, message, replay)
    figures = _figures(replay, spoken)
    for name, value in figures.items():
        print(f"{name:48}{value:>12,}{TARGETS.get(name, ''):>10}", flush=True)
    report = HOME / "bench-window.json"
    report.write_text(json.dumps({"machine": machine(), "figures": figures}, indent=1))
    print(f"\n{machine()}\n{MESSAGES} messages, rules, a pause of {PAUSE_SECONDS} s between them. {report}")


def _take_turn(rest: httpx.Client, key: str, message: dict[str, str], replay: Replay) -> None:
    path = f"conversations/{key}"
    replay.appends.append(milliseconds(lambda: rest.post(f"{path}/messages", json=message).raise_for_status()))
    began = time.perf_counter()
    replay.shown = shown = rest.get(f"{path}/window").raise_for_status().json()
    replay.windows.append((time.perf_counter() - began) * 1000)
    lines = [f"{one['role']}: {one['content']}" for one in shown["raw"]["messages"]]
    prompt = "\n".join([shown["observations"]["text"], *lines] if shown["observations"]["count"] else lines).encode()
    if shown["observations"]["generation"] == replay.generation:
        replay.unchanged += _count_common(replay.prompt, prompt)
        replay.whole += len(prompt)
    replay.prompt, replay.generation = prompt, shown["observations"]["generation"]
    replay.largest = max(replay.largest, shown["observations"]["tokens"] + shown["raw"]["tokens"])
    time.sleep(PAUSE_SECONDS)


def _figures(replay: Replay, spoken: int) -> dict[str, float]:
    last = replay.shown
    observed = spoken - last["raw"]["tokens"]
    return {
        "tokens of all messages": spoken,
        "largest window, tokens": replay.largest,
        "tokens observed": observed,
        "tokens of their observations": last["observations"]["tokens"],
        "tokens observed ÷ of their observations": round(observed / max(1, last["observations"]["tokens"]), 1),
        "bytes unchanged from the turn before, %": round(100 * replay.unchanged / max(1, replay.whole), 1),
        "reflections": last["observations"]["generation"],
        "append p50 ms": median_and_p95(replay.appends)[0],
        "append p95 ms": median_and_p95(replay.appends)[1],
        "slowest append ms": round(max(replay.appends), 1),
        "window p95 ms": median_and_p95(replay.windows)[1],
    }


def _count_common(before: bytes, after: bytes) -> int:
    """Return how many bytes both begin with."""
    if after.startswith(before):
        return len(before)
    return next(place for place, (one, other) in enumerate(zip(before, after, strict=False)) if one != other)


def _loop() -> Iterator[dict[str, str]]:
    """Yield the messages: what a user wants, what the agent does, what tools return, and what that means."""
    chance = random.Random(17)
    for number in range(MESSAGES):
        topic, city = TOPICS[number // 12 % len(TOPICS)], CITIES[number // 30 % len(CITIES)]
        if number % 30 == 0:
            wish = f"Please check the {topic} of {city} and correct what is wrong. Never change those of last year."
            yield {"role": "user", "content": wish}
        elif number % 3 == 1:
            call = json.dumps({"tool": "erp.search", "arguments": {"topic": topic, "page": number}})
            yield {"role": "assistant", "content": f"I look at page {number} of the {topic} in {city}.\n{call}"}
        elif number % 3 == 2:
            failed = chance.random() < 0.08
            result = {"error": "HTTP 503", "page": number} if failed else {"rows": _rows(chance, topic)}
            yield {"role": "tool", "name": "erp.search", "content": json.dumps(result)}
        else:
            count = chance.randrange(2, 40)
            note = f"I corrected {count} {topic} in {city}; the root cause was a rounding error on page {number}."
            yield {
                "role": "assistant",
                "content": f"{note} The next page holds those of {chance.randrange(2, 28)} May.",
            }


def _rows(chance: random.Random, topic: str) -> list[dict[str, Any]]:
    return [
        {"id": f"{topic[:3]}-{chance.randrange(10**6)}", "amount": chance.randrange(10**5) / 100, "state": "open"}
        for _ in range(chance.randrange(20, 90))
    ]


if __name__ == "__main__":
    main()
