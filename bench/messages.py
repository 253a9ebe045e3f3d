"""`make bench-messages`: how quickly messages are taken in and found among 100,000 of a workspace."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import django
import httpx

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.db import transaction

from bench.corpus import Query, World
from bench.memory_loader import owner_of
from bench.message_loader import OF_A_CONVERSATION, fill_messages
from bench.rest_client import HOME, rest_as
from bench.timing import machine, median_and_p95, milliseconds
from conversations.indexing.services.index_writer import index_messages
from conversations.models import Message, MessageWords
from core.embedding import default_embedder
from llm.embedding.services.backlog import is_pending
from workspaces.access.callers import Caller
from workspaces.access.scope import workspace_scope

SIZE = 100_000
BATCH = 1_000
QUERIES = 200
WARM = 60  # searches that have a line of their own: a server that starts loads libraries at the same time
WRITTEN = 4_000
SINGLE = 100
OWN_SPEED = 300
LONGEST_WAIT_SECONDS = 600
TARGETS = {
    "search p95 ms": "≤ 50",
    "what the word index adds to a message p50 ms": "≤ 5",
    "messages a second, by words": "≥ 200",
}


def main() -> None:
    world = World()
    model = embedder.model if (embedder := default_embedder()) else "synthetic"
    caller = owner_of(f"Bench {SIZE:,} messages")
    fill_messages(world, caller, count=SIZE, model=model)
    figures: dict[str, float] = {}
    for name, value in _measure(world, caller):
        figures[name] = value
        print(f"{name:48}{value:>12,}{TARGETS.get(name, ''):>10}", flush=True)
    report = HOME / "bench-messages.json"
    report.write_text(json.dumps({"machine": machine(), "figures": figures}, indent=1))
    print(f"\n{machine()}\n{SIZE:,} synthetic messages; the questions' vectors are the embedder's. {report}")


def _measure(world: World, caller: Caller) -> Iterator[tuple[str, float]]:
    queries = world.queries(seed=SIZE, count=QUERIES)
    _drain(caller)  # of what an earlier run has written
    with rest_as(caller) as rest:
        first = _times(queries[:WARM], lambda text: _search(rest, {"query": f"{text} first"}))
        yield f"the first {WARM} searches after a start p95 ms", median_and_p95(first)[1]
        whole = _times(queries, lambda text: _search(rest, {"query": text}))
        yield "search p50 ms", median_and_p95(whole)[0]
        yield "search p95 ms", median_and_p95(whole)[1]
        one = _times(queries, lambda text: _search(rest, {"query": text, "conversation": "c-7"}))
        yield f"search in a conversation of {OF_A_CONVERSATION} p50 ms", median_and_p95(one)[0]
        yield f"search in a conversation of {OF_A_CONVERSATION} p95 ms", median_and_p95(one)[1]
        single = [
            milliseconds(lambda: _append(rest, [{"role": "user", "content": "Tea, please."}])) for _ in range(SINGLE)
        ]
        yield "one message p50 ms", median_and_p95(single)[0]
        yield "what the word index adds to a message p50 ms", _index_of_one(caller)
        _drain(caller)
        started = time.perf_counter()
        yield "messages a second, by words", _write_rate(world, rest)
        _drain(caller)
        yield "messages a second, until all have vectors", round(WRITTEN / (time.perf_counter() - started), 1)
    if embedder := default_embedder():
        texts = [" ".join(text.words) for text in world.texts(seed=4, count=OWN_SPEED)]
        yield (
            "texts a second of the embedder alone",
            round(OWN_SPEED / milliseconds(lambda: embedder.embed_passages(texts)) * 1_000, 1),
        )


def _search(rest: httpx.Client, body: dict[str, str]) -> None:
    rest.post("messages/search", json=body).raise_for_status()


def _times(queries: Sequence[Query], work: Callable[[str], object]) -> list[float]:
    """Milliseconds of each query; the first is not counted, because it loads what later ones find loaded."""
    work("warm")
    # A word more keeps the query out of the cache of vectors.
    return [milliseconds(lambda text=query.text: work(f"{text} {id(work)}")) for query in queries]  # type: ignore[misc]


def _write_rate(world: World, rest: httpx.Client) -> float:
    texts = [" ".join(text.words) for text in world.texts(seed=3, count=WRITTEN)]
    started = time.perf_counter()
    for at in range(0, WRITTEN, BATCH):
        _append(rest, [{"role": "user", "content": text} for text in texts[at : at + BATCH]])
    return round(WRITTEN / (time.perf_counter() - started))


def _index_of_one(caller: Caller) -> float:
    """Milliseconds for indexing one message, in the transaction that stores it; nothing of it stays."""
    with workspace_scope(caller):
        messages = Message.objects.filter(workspace_id=caller.workspace_id, conversation__key="ingest")[:SINGLE]
        MessageWords.objects.filter(message__in=[message.id for message in messages]).delete()
        times = [milliseconds(partial(index_messages, [message])) for message in messages]
        transaction.set_rollback(True)
    return median_and_p95(times)[0]


def _drain(caller: Caller) -> None:
    """Wait until the worker has given every message its vector."""
    deadline = time.perf_counter() + LONGEST_WAIT_SECONDS
    while is_pending(workspace_id=caller.workspace_id):
        if time.perf_counter() > deadline:
            raise TimeoutError("The embedding backlog does not drain. Is the worker running?")
        time.sleep(0.2)


def _append(rest: httpx.Client, messages: list[dict[str, str]]) -> None:
    rest.post("conversations/ingest/messages", json={"messages": messages}).raise_for_status()


if __name__ == "__main__":
    main()
