"""`make bench-search`: how quickly and how exactly memories are found among 10,000 and 100,000 of a workspace."""

from __future__ import annotations

import json
import os
import statistics
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import asdict, dataclass
from functools import partial
from unittest.mock import patch
from uuid import UUID

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from bench.corpus import Query, World
from bench.memory_loader import is_loaded, without_vector_index, workspace_with
from bench.rest_client import HOME, rest_as
from bench.timing import machine, median_and_p95, milliseconds
from core.embedding import QueryVector, default_embedder
from memory.memories.selectors import MemoryFilter, recallable_nodes
from memory.memories.services.memory_search import search_memories
from ontology.search.services import hybrid_ranking as search
from workspaces.access.callers import Caller
from workspaces.access.scope import workspace_scope

SIZES = (10_000, 100_000)
QUERIES = 200
ROUNDS = 3
TOP = 10
TARGETS = {"service p95 ms": 40.0, "HTTP p95 ms": 50.0, "same top ten %": 98.0}


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured number of one size."""

    memories: int
    name: str
    value: float


def main() -> None:
    world = World()
    model = embedder.model if (embedder := default_embedder()) else "synthetic"
    with nullcontext() if all(is_loaded(count=size) for size in SIZES) else without_vector_index():
        callers = {size: workspace_with(world, count=size, model=model) for size in SIZES}
    figures = [figure for size, caller in callers.items() for figure in _measure(world, caller, size)]
    report = HOME / "bench-search.json"
    report.write_text(json.dumps({"machine": machine(), "figures": [asdict(figure) for figure in figures]}, indent=1))
    _print_table(figures)
    print(
        f"\n{machine()}\nVectors and texts are synthetic; query vectors of the latencies are the embedder's. {report}"
    )


def _measure(world: World, caller: Caller, size: int) -> Iterator[Figure]:
    queries = world.queries(seed=size, count=QUERIES)
    for mode in ("hybrid", "keyword", "semantic"):
        times = _times(queries, partial(_search, caller, mode))
        name = "service" if mode == "hybrid" else f"service, {mode} alone,"
        yield from _percentiles(size, name, times)
    with rest_as(caller) as rest:
        times = _times(queries, lambda text: rest.post("memories/search", json={"query": text, "limit": TOP}))
    yield from _percentiles(size, "HTTP", times)
    yield Figure(size, "same top ten %", _agreement(caller, queries))


def _search(caller: Caller, mode: str, text: str) -> None:
    search_memories(caller=caller, query=text, mode=mode, limit=TOP)


def _times(queries: Sequence[Query], work: Callable[[str], object]) -> list[float]:
    """Milliseconds of each query: the median of the rounds. A word more keeps each round's query out of the cache."""
    rounds = [[milliseconds(partial(work, f"{query.text} {turn}")) for query in queries] for turn in range(ROUNDS)]
    return [statistics.median(times) for times in zip(*rounds, strict=True)]


def _percentiles(size: int, name: str, times: Sequence[float]) -> Iterator[Figure]:
    median, p95 = median_and_p95(times)
    yield Figure(size, f"{name} p50 ms", median)
    yield Figure(size, f"{name} p95 ms", p95)


def _agreement(caller: Caller, queries: Sequence[Query]) -> float:
    """The fraction of the top ten that an exact comparison of every memory gives as well, in per cent."""
    same = total = 0
    for query in queries:
        with patch.object(search, "EXACT_UP_TO", 10**9):
            exact = _top(caller, query)
        same, total = same + len(exact & _top(caller, query)), total + len(exact)
    return round(100 * same / total, 2)


def _top(caller: Caller, query: Query) -> set[UUID]:
    vector = QueryVector(_model(), query.vector.tolist())
    with workspace_scope(caller):
        nodes = recallable_nodes(caller, MemoryFilter())
        ranking = search.rank_nodes(
            caller=caller, nodes=nodes, query=query.text, vector=vector, mode="hybrid", limit=TOP
        )
    return {hit.id for hit in ranking.hits}


def _model() -> str:
    embedder = default_embedder()
    return embedder.model if embedder else "synthetic"


def _print_table(figures: Sequence[Figure]) -> None:
    names = list(dict.fromkeys(figure.name for figure in figures))
    values = {(figure.memories, figure.name): figure.value for figure in figures}
    print(f"\n{'':44}" + "".join(f"{size:>12,}" for size in SIZES) + f"{'target':>10}")
    for name in names:
        target = TARGETS.get(name)
        shown = "" if target is None else f"{'≥' if '%' in name else '≤'} {target:g}"
        print(f"{name:44}" + "".join(f"{values[size, name]:>12}" for size in SIZES) + f"{shown:>10}")


if __name__ == "__main__":
    main()
