"""`make demo`: import a conversation as memories over REST, ask ten questions, cite what was found, print a table."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

HOME = Path(os.environ.get("WSM_HOME", "var"))
EVALUATION_DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "locomo_dev.json"
OWN_DATA = Path(__file__).with_name("demo_conversation.json")
QUESTIONS = 10
# How long the background may take to give every memory its vector before the questions are asked.
EMBEDDING_SECONDS = 120


@dataclass(frozen=True, slots=True)
class Answered:
    """One question and what the search made of it."""

    question: str
    found: int
    evidence_at: int | None
    method: str
    milliseconds: float
    counted: int


def main() -> None:
    demo = json.loads((HOME / "demo.json").read_text())
    base = f"{demo['url']}/v1/workspaces/{demo['workspace_id']}/"
    with httpx.Client(base_url=base, headers={"Authorization": f"Bearer {demo['api_key']}"}, timeout=30) as rest:
        conversation = _conversation()
        ids = _import(rest, conversation)
        _wait_for_vectors(rest, newest=list(ids)[-1])
        questions = [q for q in conversation["questions"] if q.get("evidence")][:QUESTIONS]
        _print_table([_ask(rest, question, ids) for question in questions])


def _conversation() -> dict[str, Any]:
    path = EVALUATION_DATA if EVALUATION_DATA.exists() else OWN_DATA
    print(f"Importing one conversation of {path.name}.")
    conversation: dict[str, Any] = json.loads(path.read_text())["conversations"][0]
    return conversation


def _lines(conversation: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for session in conversation["sessions"]:
        for message in session["messages"]:
            yield message["id"], f"[{session['time']}] {message['speaker']}: {message['text']}"


def _import(rest: httpx.Client, conversation: dict[str, Any]) -> dict[str, str]:
    """Remember every message; return which memory stands for which message."""
    lines = list(_lines(conversation))
    ids: dict[str, str] = {}
    started = time.perf_counter()
    for place, (key, text) in enumerate(lines, start=1):
        answer = rest.post("memories", json={"content": text, "source": "agent", "tags": ["demo"]})
        answer.raise_for_status()
        ids[answer.json()["id"]] = key
        print(f"\r{place:,} of {len(lines):,} messages", end="", flush=True)
    seconds = time.perf_counter() - started
    print(f" in {seconds:.1f} s ({len(lines) / seconds:.0f} a second).")
    return ids


def _wait_for_vectors(rest: httpx.Client, newest: str) -> None:
    """Wait until the newest memory has its vector, so that the table shows both arms at work."""
    started = time.monotonic()
    while rest.get(f"memories/{newest}").json()["pending_embedding"] and time.monotonic() - started < EMBEDDING_SECONDS:
        time.sleep(0.5)
    print(f"Vectors were ready {time.monotonic() - started:.1f} s later.")


def _ask(rest: httpx.Client, question: dict[str, Any], ids: dict[str, str]) -> Answered:
    run = rest.post("runs", json={"agent": "demo"}).json()
    found = rest.post("memories/search", json={"query": question["question"], "limit": 10}).json()
    cited = [hit["memory"]["id"] for hit in found["results"]]
    output = " ".join(f"[mem:{identity}]" for identity in cited)
    finished = rest.post(f"runs/{run['id']}/finish", json={"status": "succeeded", "output": output}).json()
    evidence = [place for place, identity in enumerate(cited, start=1) if ids.get(identity) in question["evidence"]]
    return Answered(
        question["question"],
        len(cited),
        evidence[0] if evidence else None,
        found["method"],
        found["latency_ms"],
        sum(citation["counted"] for citation in finished["citations"]),
    )


def _print_table(rows: list[Answered]) -> None:
    print(f"\n{'question':62} {'hits':>4} {'evidence at':>11} {'method':>8} {'ms':>7} {'citations':>9}")
    for row in rows:
        place = str(row.evidence_at or "-")
        took = f"{row.milliseconds:.1f}"
        print(f"{row.question[:60]:62} {row.found:>4} {place:>11} {row.method:>8} {took:>7} {row.counted:>9}")
    with_evidence = sum(row.evidence_at is not None for row in rows)
    print(f"\nEvidence among the first ten for {with_evidence} of {len(rows)} questions.")


if __name__ == "__main__":
    main()
