"""`make bench-ask`: load conversations as memories over REST, ask, and count the answers that cite the evidence."""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from core.text import lexemes
from tests.llm.server import Reply, Seen, model_server, saying

HOME = Path(os.environ.get("WSM_HOME", "var"))
EVALUATION_DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "locomo_dev.json"
DATA = Path(os.environ.get("ASK_DATA", EVALUATION_DATA))
QUESTIONS = 100
CAUTIOUS_CLAIMS = 3
EMBEDDING_SECONDS = 600
SEED = 7


@dataclass(frozen=True, slots=True)
class Asked:
    """One question: whether the answer cites evidence, how many nodes it cites, and how long it took."""

    category: str
    cites_evidence: bool
    cited: int
    milliseconds: float


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--conversations", type=int, default=2, help="how many of the file's conversations to load")
    options.add_argument("--questions", type=int, default=QUESTIONS)
    given = options.parse_args()
    if not DATA.is_file():
        sys.exit(
            "Set ASK_DATA to a file of conversations and questions (bench/recall/dataset.py says how it is written)."
        )
    demo = json.loads((HOME / "demo.json").read_text())
    base = f"{demo['url']}/v1/workspaces/{demo['workspace_id']}/"
    conversations = json.loads(DATA.read_text())["conversations"]
    loaded, others = conversations[: given.conversations], conversations[given.conversations :]
    with httpx.Client(base_url=base, headers={"Authorization": f"Bearer {demo['api_key']}"}, timeout=60) as rest:
        turns = _load(rest, loaded)
        _wait_for_vectors(rest, newest=max(turns))
        questions = _questions(loaded, given.questions)
        _report("Without a model", [_ask(rest, *question, turns) for question in questions])
        with _model(rest):
            _report("With the loopback model", [_ask(rest, *question, turns) for question in questions])
        strange = [_ask(rest, *question, turns) for question in _questions(others, given.questions)]
        silent = statistics.mean(not one.cited for one in strange) if strange else 0.0
        print(
            f"Of {len(strange)} questions about conversations that are not there, {silent:.0%} are answered by nothing."
        )


def _load(rest: httpx.Client, conversations: Sequence[dict[str, Any]]) -> dict[str, tuple[str, str]]:
    """Remember every turn; return which turn each memory stands for."""
    lines = [line for conversation in conversations for line in _lines(conversation)]
    turns: dict[str, tuple[str, str]] = {}
    started = time.perf_counter()
    with ThreadPoolExecutor(4) as pool:
        for turn, identity in pool.map(lambda line: (line[0], _remember(rest, line[1])), lines):
            turns.setdefault(identity, turn)
    seconds = time.perf_counter() - started
    print(f"Loaded {len(lines):,} turns in {seconds:.1f} s ({len(lines) / seconds:.0f} a second).")
    return turns


def _lines(conversation: dict[str, Any]) -> Iterator[tuple[tuple[str, str], str]]:
    for session in conversation["sessions"]:
        for message in session["messages"]:
            key = (conversation["id"], message["id"])
            yield key, f"[{session['time']}] {message['speaker']}: {message['text']}"


def _remember(rest: httpx.Client, text: str) -> str:
    answer = rest.post("memories", json={"content": text, "source": "import", "tags": ["bench-ask"]})
    answer.raise_for_status()
    return str(answer.json()["id"])


def _wait_for_vectors(rest: httpx.Client, newest: str) -> None:
    started = time.monotonic()
    while rest.get(f"memories/{newest}").json()["pending_embedding"] and time.monotonic() - started < EMBEDDING_SECONDS:
        time.sleep(1)
    print(f"Vectors were ready {time.monotonic() - started:.1f} s later.")


def _questions(conversations: Sequence[dict[str, Any]], most: int) -> list[tuple[str, dict[str, Any]]]:
    """Questions that have evidence, drawn with a fixed seed."""
    asked = [(each["id"], question) for each in conversations for question in each["questions"] if question["evidence"]]
    return random.Random(SEED).sample(asked, min(most, len(asked)))


def _ask(rest: httpx.Client, key: str, question: dict[str, Any], turns: dict[str, tuple[str, str]]) -> Asked:
    answer = rest.post("ontology/ask", json={"question": question["question"]}).json()
    cited = [cited["node_id"] for cited in answer["citations"]]
    evidence = {(key, turn) for turn in question["evidence"]}
    return Asked(
        question["category"],
        any(turns.get(identity) in evidence for identity in cited),
        len(cited),
        answer["latency_ms"],
    )


@contextmanager
def _model(rest: httpx.Client) -> Iterator[None]:
    """A model on loopback that speaks the real wire format and answers from its sources, while the block runs."""
    with model_server() as server:
        server.chooses = _read
        provider = {
            "name": f"Loopback {server.port}",
            "kind": "openai",
            "base_url": server.url,
            "api_key": "k-loopback",
        }
        made = rest.post("models/providers", json=provider).raise_for_status().json()
        choice = {"tier": "large", "provider": made["id"], "model": "reader-1"}
        rest.put("models/choices", json={"choices": [choice]}).raise_for_status()
        yield
        rest.put("models/choices", json={"choices": [{"tier": "large", "provider": None}]}).raise_for_status()


def _read(seen: Seen) -> Reply:
    """What a cautious reader would say: the sources with most words of the question, as one claim each."""
    asked = str(seen.body["messages"][-1]["content"])
    told, _, question = asked.rpartition("\n\nQuestion: ")
    wanted = set(lexemes(question))
    lines = [line for line in told.splitlines() if line[:1].isdigit()]
    ranked = sorted(lines, key=lambda line: len(wanted.intersection(lexemes(line))), reverse=True)[:CAUTIOUS_CLAIMS]
    claims = [{"text": line.partition(") ")[2] or line, "sources": [int(line.partition(".")[0])]} for line in ranked]
    return saying(json.dumps({"claims": claims}))


def _report(title: str, asked: Sequence[Asked]) -> None:
    times = sorted(one.milliseconds for one in asked)
    cited = statistics.mean(one.cited for one in asked)
    share = statistics.mean(one.cites_evidence for one in asked)
    print(f"{title}: {share:.0%} of {len(asked)} answers cite evidence, with {cited:.1f} citations each;")
    print(f"  p50 {statistics.median(times):.0f} ms, p95 {times[int(len(times) * 0.95)]:.0f} ms")
    for category in sorted({one.category for one in asked}):
        of_it = [one.cites_evidence for one in asked if one.category == category]
        print(f"  {category:12} {sum(of_it)} of {len(of_it)}")


if __name__ == "__main__":
    main()
