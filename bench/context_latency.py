"""`make bench-context`: how long a context takes among 100,000 memories and 30,000 messages of one workspace.

The embedding of the query takes a model's time, which is reported by itself: a query
whose vector is known already has none of it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from functools import partial

import django
import httpx

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from bench.corpus import Query, World
from bench.memory_loader import is_loaded, without_vector_index, workspace_with
from bench.message_loader import fill_messages
from bench.rest_client import HOME, rest_as
from bench.timing import machine, median_and_p95, milliseconds
from conversations.messages.selectors import access_conversation
from core.clock import utc_now
from core.embedding import default_embedder
from memory.models import Kind, MemoryEpisode
from memory.recall.layers.base import ContextRequest
from memory.recall.services.context import assemble_context
from ontology.models import Node
from workspaces.access.callers import Caller
from workspaces.access.scope import workspace_scope

MEMORIES = 100_000
# Fifty facts of some seventy tokens nearly fill the budget of 4,000; a thousand are a workspace that warns of itself.
FACTS, MANY_FACTS = 50, 1_000
MESSAGES, EPISODES = 30_000, 20
CONVERSATION = "c-0"  # with 500 of the messages
NAME = f"{FACTS:,} facts among"
QUERIES, QUERIES_OF_MANY_FACTS, ROUNDS = 100, 10, 3
TARGET_MS = 55.0
COLUMNS = ("p50", "p95", "p50 with the model", "p95 with the model", "requests")


def main() -> None:
    world = World()
    embedder = default_embedder()
    model = embedder.model if embedder else "synthetic"
    with nullcontext() if is_loaded(count=MEMORIES, name=NAME) else without_vector_index():
        caller = _workspace(world, model)
    queries = world.queries(seed=MEMORIES, count=QUERIES)
    figures = {f"{FACTS:,} facts, {what}": times for what, times in _figures(caller, queries).items()}
    _print(figures)
    with _many_facts(caller):
        few = queries[:QUERIES_OF_MANY_FACTS]
        figures |= {f"{MANY_FACTS:,} facts, {what}": times for what, times in _figures(caller, few).items()}
    report = HOME / "bench-context.json"
    report.write_text(json.dumps({"machine": machine(), "figures": figures}, indent=1))
    _print(figures)
    print(f"\n{machine()}. {report}")


def _figures(caller: Caller, queries: Sequence[Query]) -> dict[str, dict[str, float]]:
    service = _measure(queries, partial(_assemble, caller))
    with rest_as(caller) as rest:
        return {"service": service, "HTTP": _measure(queries, partial(_post, rest))}


@contextmanager
def _many_facts(caller: Caller) -> Iterator[None]:
    """More of the memories are facts for a while."""
    with workspace_scope(caller):
        memories = Node.objects.filter(workspace_id=caller.workspace_id, type=Kind.MEMORY, is_deleted=False)
        promoted = list(memories.order_by("id").values_list("id", flat=True)[: MANY_FACTS - FACTS])
        Node.objects.filter(id__in=promoted).update(type=Kind.FACT)
    try:
        yield
    finally:
        with workspace_scope(caller):
            Node.objects.filter(id__in=promoted).update(type=Kind.MEMORY)


def _workspace(world: World, model: str) -> Caller:
    caller = workspace_with(world, count=MEMORIES, model=model, name=NAME, fact_every=MEMORIES // FACTS)
    fill_messages(world, caller, count=MESSAGES, model=model)
    texts = [" ".join(text.words) for text in world.texts(seed=EPISODES, count=5 * EPISODES)]
    _episodes(caller, texts)
    return caller


def _episodes(caller: Caller, texts: Sequence[str]) -> None:
    conversation, now = access_conversation(caller, CONVERSATION), utc_now()
    with workspace_scope(caller):
        there = MemoryEpisode.objects.filter(conversation=conversation).count()
        MemoryEpisode.objects.bulk_create(
            MemoryEpisode(
                workspace_id=caller.workspace_id,
                conversation=conversation,
                summary=" ".join(texts[place * 5 : place * 5 + 5]),
                source_message_ids=[],
                turn_count=100,
                period_start=now,
                period_end=now,
            )
            for place in range(there, EPISODES)
        )


def _assemble(caller: Caller, query: str) -> None:
    assemble_context(caller=caller, wanted=ContextRequest(query, conversation=CONVERSATION))


def _post(rest: httpx.Client, query: str) -> None:
    rest.post("context", json={"query": query, "conversation": CONVERSATION}).raise_for_status()


def _measure(queries: Sequence[Query], work: Callable[[str], object]) -> dict[str, float]:
    """Every request counts: each query some times new, and each time once more when its vector is known."""
    # A word more makes it a new query. The cache holds the last 512 vectors, so each is asked again at once.
    pairs = [_pair(partial(work, f"{query.text} {turn}")) for turn in range(ROUNDS) for query in queries]
    new, known = zip(*pairs, strict=True)
    return dict(zip(COLUMNS, (*median_and_p95(known), *median_and_p95(new), len(pairs)), strict=True))


def _pair(work: Callable[[], object]) -> tuple[float, float]:
    return milliseconds(work), milliseconds(work)


def _print(figures: dict[str, dict[str, float]]) -> None:
    print(f"\nmilliseconds (target: p95 ≤ {TARGET_MS:g})\n{'':24}" + "".join(f"{name:>20}" for name in COLUMNS))
    for what, values in figures.items():
        print(f"{what:24}" + "".join(f"{values[name]:>20}" for name in COLUMNS))


if __name__ == "__main__":
    main()
