"""`make bench-context`: how long a context takes among 100,000 memories and 5,000 messages of one workspace.

The embedding of the query is a model's time and is told apart: a query whose vector is known already has none of it.
"""

from __future__ import annotations

import json
import os
import statistics
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from functools import partial

import django
import httpx

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from bench.corpus import Query, World
from bench.loading import without_vector_index, workspace_with
from bench.measuring import HOME, machine, median_and_p95, milliseconds, rest_as
from conversations.models import Message, MessageRole
from conversations.selectors import access_conversation
from conversations.services.appending import NewMessage, append_messages
from core.clock import utc_now
from core.embedding import default_embedder
from memory.models import Kind, MemoryEpisode
from memory.services.recall import ContextRequest, assemble_context
from ontology.models import Node
from workspaces.callers import Caller
from workspaces.scope import workspace_scope

MEMORIES = 100_000
# Fifty facts of some seventy tokens nearly fill the budget of 4,000; a thousand are a workspace that warns of itself.
FACTS, MANY_FACTS = 50, 1_000
MESSAGES, EPISODES, AT_ONCE = 5_000, 20, 1_000
CONVERSATION = "bench"
QUERIES, ROUNDS = 100, 3
TARGET_MS = 60.0


def main() -> None:
    world = World()
    embedder = default_embedder()
    model = embedder.model if embedder else "synthetic"
    with without_vector_index():
        caller = _workspace(world, model)
    queries = world.queries(seed=MEMORIES, count=QUERIES)
    figures = {f"{FACTS:,} facts, {what}": times for what, times in _figures(caller, queries).items()}
    _print(figures)
    with _many_facts(caller):
        figures |= {f"{MANY_FACTS:,} facts, {what}": times for what, times in _figures(caller, queries).items()}
    report = HOME / "bench-context.json"
    report.write_text(json.dumps({"machine": machine(), "figures": figures}, indent=1))
    _print(figures)
    print(f"\n{machine()}. {report}")


def _figures(caller: Caller, queries: Sequence[Query]) -> dict[str, dict[str, float]]:
    service = _measured(queries, partial(_assemble, caller))
    with rest_as(caller) as rest:
        return {"service": service, "HTTP": _measured(queries, partial(_post, rest))}


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
    caller = workspace_with(
        world, count=MEMORIES, model=model, name=f"{FACTS:,} facts among", fact_every=MEMORIES // FACTS
    )
    with workspace_scope(caller):
        said = Message.objects.filter(workspace_id=caller.workspace_id).count()
    texts = [" ".join(text.words) for text in world.texts(seed=MESSAGES, count=MESSAGES)]
    began = utc_now() - timedelta(days=1)
    for start in range(said, MESSAGES, AT_ONCE):
        batch = [
            NewMessage(MessageRole.USER, text, created_at=began + timedelta(seconds=place))
            for place, text in enumerate(texts[start : start + AT_ONCE], start=start)
        ]
        append_messages(caller=caller, conversation=CONVERSATION, messages=batch)
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


def _measured(queries: Sequence[Query], work: Callable[[str], object]) -> dict[str, float]:
    """Medians of the rounds: each query when it is new, and again when its vector is known."""
    first, again = [], []
    for turn in range(ROUNDS):
        # A word more makes it a new query. The cache holds 256 vectors, so each is asked again at once.
        pairs = [_pair(partial(work, f"{query.text} {turn}")) for query in queries]
        first.append([pair[0] for pair in pairs])
        again.append([pair[1] for pair in pairs])
    known = median_and_p95([statistics.median(times) for times in zip(*again, strict=True)])
    new = median_and_p95([statistics.median(times) for times in zip(*first, strict=True)])
    return {"p50": known[0], "p95": known[1], "p50 with the model": new[0], "p95 with the model": new[1]}


def _pair(work: Callable[[], object]) -> tuple[float, float]:
    return milliseconds(work), milliseconds(work)


def _print(figures: dict[str, dict[str, float]]) -> None:
    names = list(next(iter(figures.values())))
    print(f"\nmilliseconds (target: p95 ≤ {TARGET_MS:g})\n{'':24}" + "".join(f"{name:>20}" for name in names))
    for what, values in figures.items():
        print(f"{what:24}" + "".join(f"{values[name]:>20}" for name in names))


if __name__ == "__main__":
    main()
