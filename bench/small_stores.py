"""`make bench-small-stores`: are questions in other words answered from few messages or notes, through HTTP?

Each store is a space of its own, with the messages of one person and an assistant, or with notes. Four in eleven
questions share words with what answers them; the others do not. Others ask for what is nowhere in the store. In two
files each question is asked in the first person and in the third, and notes are in the third. How near is near enough
was chosen on the fitted files.
"""

from __future__ import annotations

import json
import os
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any

import django
import httpx

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from bench.memory_loader import owner_of
from bench.rest_client import HOME, rest_as
from bench.timing import machine
from conversations.models import Message
from ontology.models import Node
from workspaces.access.callers import Caller, maintenance_caller
from workspaces.access.scope import workspace_scope

PARTS = ("fitted", "unseen", "persons_fitted", "persons_unseen")
LONGEST_WAIT_SECONDS = 600
BUDGET = 1_024
FEW = 5  # notes


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one question got: the fraction of its evidence (None where the store has none) and how many items."""

    fraction: float | None
    items: int


def main() -> None:
    print(machine())
    caller = owner_of(f"Small stores, {time.time():.0f}")
    report = {}
    with rest_as(caller) as rest:
        for part in PARTS:
            stores = json.loads((Path(__file__).parent / f"small_stores_{part}.json").read_text())
            ids = [_write(rest, store, f"project:{part}-{place}") for place, store in enumerate(stores)]
            _wait_for_vectors(caller)
            outcomes: dict[str, list[Outcome]] = defaultdict(list)
            for place, (store, known) in enumerate(zip(stores, ids, strict=True)):
                outcomes[_kind(store)] += _ask(rest, store, known, f"project:{part}-{place}")
            report[part] = {kind: _figures(each) for kind, each in outcomes.items()}
            for kind, figures in report[part].items():
                print(f"{part:16}{kind:22}", "   ".join(f"{name} {value:5.1f}" for name, value in figures.items()))
    path = HOME / "bench-small-stores.json"
    path.write_text(json.dumps({"machine": machine(), "figures": report}, indent=1))
    print(path)


def _kind(store: Mapping[str, Any]) -> str:
    return f"at most {FEW} notes" if len(store["messages"]) <= FEW else str(store["kind"])


def _write(rest: httpx.Client, store: Mapping[str, Any], space: str) -> list[str]:
    """Write a store into its space; return the ids of its messages or notes, in order."""
    if store["kind"] == "memories":
        written = (rest.post("memories", json={"content": note, "space": space}) for note in store["messages"])
        return [str(answer.raise_for_status().json()["id"]) for answer in written]
    messages = [
        {
            "role": said["role"],
            "name": said.get("name", ""),
            "content": said["content"],
            "created_at": f"{said['at']}Z",
        }
        for said in store["messages"]
    ]
    answer = rest.post("conversations/told/messages", json={"space": space, "messages": messages})
    return [str(message["id"]) for message in answer.raise_for_status().json()["messages"]]


def _wait_for_vectors(caller: Caller) -> None:
    everywhere, deadline = maintenance_caller(caller.workspace_id, "bench"), time.monotonic() + LONGEST_WAIT_SECONDS
    while True:
        with workspace_scope(everywhere):
            waiting = sum(
                model.objects.filter(workspace_id=caller.workspace_id, needs_embedding=True).count()
                for model in (Message, Node)
            )
        if not waiting:
            return
        if time.monotonic() > deadline:
            raise TimeoutError(f"{waiting} texts have no vector. Is the worker running?")
        time.sleep(1)


def _ask(rest: httpx.Client, store: Mapping[str, Any], ids: Sequence[str], space: str) -> Iterator[Outcome]:
    for question in store["questions"]:
        body = {
            "query": question["q"],
            "space": space,
            "shared": False,
            "conversation": "new",
            "token_budget": BUDGET,
        }
        answer = rest.post("context", json=body).raise_for_status().json()
        got = {item["id"] for block in answer["blocks"] for item in block["items"]}
        evidence = {ids[place] for place in question["evidence"]}
        yield Outcome(len(evidence & got) / len(evidence) if evidence else None, len(got))


def _figures(outcomes: Sequence[Outcome]) -> dict[str, float]:
    """Return per cent of answerable questions that got all of their evidence, and nothing; of others, that got
    something; and how many items each kind got."""
    answerable = [each for each in outcomes if each.fraction is not None]
    others = [each for each in outcomes if each.fraction is None]
    return {
        "all": 100 * mean(each.fraction == 1 for each in answerable),
        "silent": 100 * mean(not each.items for each in answerable),
        "items": mean(each.items for each in answerable),
        "about nothing": 100 * mean(each.items > 0 for each in others),
        "their items": mean(each.items for each in others),
    }


if __name__ == "__main__":
    main()
