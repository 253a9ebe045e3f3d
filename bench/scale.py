"""`make bench-scale`: 1,000,000 nodes and 2,000,000 edges in 1,000 workspaces; what each of them notices of the others.

A workspace of 1,000 nodes is measured while it is alone in the database, and again among all the others. Texts and
vectors are synthetic (bench/corpus.py), of queries as well: no model takes part, so the figures are the database's.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any
from unittest.mock import patch
from uuid import UUID

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

import psycopg
from django.db import connection

from bench.corpus import Query, World
from bench.node_loader import Loaded, fill
from bench.rest_client import HOME
from bench.timing import machine, median_and_p95, milliseconds
from config.settings import owner_url
from core.clock import utc_now
from core.embedding import QueryVector
from core.stores.graph import GraphUnavailableError, graph
from ontology.graph.services import traversal
from ontology.graph.services.projection import project_pending, rebuild_graph
from ontology.models import Edge, Node, NodeEmbedding
from ontology.nodes_and_edges.querysets import NodeQuerySet
from ontology.search.services import hybrid_ranking as search
from workspaces.access.callers import RIGHTS_OF_ROLE, ActorKind, Caller
from workspaces.access.scope import workspace_scope
from workspaces.accounts.services.workspace_create import found_workspace
from workspaces.models import User

SMALL, LARGE, USUAL = 1_000, 100_000, 901
WORKSPACES = 1_000
MODEL = "synthetic"
WALKS, ROUNDS, TOP = 200, 5, 10
SEARCH_PATH = "-c search_path=public,org,app,ontology"
SLOW_INDEXES = ["node_embeddings_nearest", "nodes_words"]
LOADERS = 2  # one invents texts while the other waits for PostgreSQL


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured number and, where there is one, what it must be at most (or at least, for shares)."""

    name: str
    value: float
    target: float | None = None

    @property
    def is_share(self) -> bool:
        return "recall" in self.name

    @property
    def is_met(self) -> bool:
        return self.target is None or (self.value >= self.target if self.is_share else self.value <= self.target)


@dataclass(frozen=True, slots=True)
class Place:
    """A workspace of a certain size, and what was loaded into it."""

    caller: Caller
    loaded: Loaded
    seed: int


def main() -> None:
    world = World()
    owner = User.objects.create_user(f"scale-{time.time_ns()}@memory.example", "", name="Bench")
    small = _fill(owner, world, seed=0, count=SMALL)
    _vacuum()
    alone = _search_times(world, small)
    large, figures = _fill_others(owner, world, small)
    figures += _measure(world, small, large, alone)
    report = {"machine": machine(), "figures": [asdict(figure) for figure in figures]}
    (HOME / "bench-scale.json").write_text(json.dumps(report, indent=1))
    _print(figures)


def _measure(world: World, small: Place, large: Place, alone: Sequence[float]) -> list[Figure]:
    among = _search_times(world, small)
    ratio = round(median_and_p95(among)[1] / median_and_p95(alone)[1], 2)
    return [
        *_percentiles("search of 1,000 nodes, alone", alone),
        *_percentiles("search of 1,000 nodes, among 1,000,000", among),
        Figure("  p95 among, divided by alone", ratio, 1.5),
        *_percentiles("search of 100,000 nodes, among 1,000,000", _search_times(world, large)),
        Figure("recall@10 of 1,000 nodes", _recall(world, small), 0.98),
        Figure("recall@10 of 100,000 nodes", _recall(world, large), 0.98),
        *_percentiles("two hops, PostgreSQL, 1,000 nodes", _walk_times(small, with_graph=False), 50),
        *_percentiles("two hops, PostgreSQL, 100,000 nodes", _walk_times(large, with_graph=False), 50),
        *_percentiles("two hops, graph, 1,000 nodes", _walk_times(small, with_graph=True), 50),
    ]


def _fill_others(owner: User, world: World, small: Place) -> tuple[Place, list[Figure]]:
    """Fill the other workspaces, the large one first, which is returned; and measure how long everything took."""
    with _without_slow_indexes() as built:
        started = time.perf_counter()
        large = _fill(owner, world, seed=1, count=LARGE)
        nodes, edges = LARGE, large.loaded.edges
        with ThreadPoolExecutor(LOADERS) as pool:
            seeds = range(2, WORKSPACES)
            for place, added in enumerate(pool.map(partial(_edges_filled, owner, world), seeds), start=3):
                nodes, edges = nodes + USUAL, edges + added
                print(f"\rworkspace {place:,} of {WORKSPACES:,}", end="", flush=True)
        took = time.perf_counter() - started
    print()
    started = time.perf_counter()
    _project(small)
    projected = time.perf_counter() - started
    return large, [
        Figure("workspaces", WORKSPACES),
        Figure("nodes", nodes + SMALL),
        Figure("edges", edges + small.loaded.edges),
        Figure("loading: s", round(took)),
        Figure("loading: nodes with vectors and two edges each, a second", round(nodes / took)),
        *[Figure(f"building the index {name}: s", seconds) for name, seconds in built.items()],
        Figure("projecting 1,000 nodes and 2,000 edges: s", round(projected, 1)),
    ]


def _fill(owner: User, world: World, *, seed: int, count: int) -> Place:
    workspace = found_workspace(owner=owner, name=f"Scale {seed}")
    caller = Caller(workspace.id, ActorKind.USER, str(owner.id), str(owner), RIGHTS_OF_ROLE["owner"])
    return Place(caller, fill(caller, world, seed=seed, count=count, model=MODEL), seed)


def _edges_filled(owner: User, world: World, seed: int) -> int:
    """Fill a usual workspace; return its number of edges alone, since a thousand of these are kept."""
    return _fill(owner, world, seed=seed, count=USUAL).loaded.edges


def _project(place: Place) -> None:
    rebuild_graph(workspace_id=place.caller.workspace_id, graph=graph())
    project_pending(workspace_id=place.caller.workspace_id, graph=graph())


@contextmanager
def _without_slow_indexes() -> Iterator[dict[str, float]]:
    """Drop the indexes that are quicker to build at once, and build them afterwards; yield the seconds of each."""
    built: dict[str, float] = {}
    with psycopg.connect(owner_url(), autocommit=True, options=SEARCH_PATH) as owner:
        found = owner.execute("SELECT indexname, indexdef FROM pg_indexes WHERE indexname = ANY(%s)", [SLOW_INDEXES])
        definitions: dict[str, str] = dict(found.fetchall())
        for name in definitions:
            owner.execute(f"DROP INDEX {name}")
        yield built
        # In memory, or it would take hours.
        owner.execute("SET maintenance_work_mem = '3GB'")
        for name, definition in definitions.items():
            started = time.perf_counter()
            _build(owner, definition)
            built[name] = round(time.perf_counter() - started)
    _vacuum()


def _build(owner: psycopg.Connection[Any], definition: str) -> None:
    """By two processes where they get the shared memory for it; many a container has none to speak of."""
    owner.execute("SET max_parallel_maintenance_workers = 1")
    try:
        owner.execute(definition)
    except (psycopg.errors.DiskFull, psycopg.errors.OutOfMemory):
        owner.execute("SET max_parallel_maintenance_workers = 0")
        owner.execute(definition)


def _vacuum() -> None:
    with psycopg.connect(owner_url(), autocommit=True, options=SEARCH_PATH) as owner:
        for model in (Node, NodeEmbedding, Edge):
            owner.execute(f"VACUUM ANALYZE {model._meta.db_table}")


def _search_times(world: World, place: Place) -> list[float]:
    return _best([partial(_top, place, query) for query in _queries(world, place)])


def _queries(world: World, place: Place) -> list[Query]:
    return world.queries_about(place.loaded.sample, seed=place.seed)


def _walk_times(place: Place, *, with_graph: bool) -> list[float]:
    step = max(1, len(place.loaded.nodes) // WALKS)
    starts = place.loaded.nodes[::step][:WALKS]

    def walk(start: UUID) -> None:
        found = traversal.neighbours(caller=place.caller, node_id=start, depth=2, limit=200)
        if found.method != ("graph" if with_graph else "postgres"):
            raise RuntimeError(f"{found.method} answered.")

    if with_graph:
        return _best([partial(walk, start) for start in starts])
    with patch.object(traversal, "graph", side_effect=GraphUnavailableError):
        return _best([partial(walk, start) for start in starts])


def _best(works: Sequence[Callable[[], object]]) -> list[float]:
    """Milliseconds of each piece of work, the best of the rounds: what else the machine does is not meant."""
    rounds = [[milliseconds(work) for work in works] for _ in range(ROUNDS)]
    return [min(times) for times in zip(*rounds, strict=True)]


def _top(place: Place, query: Query) -> set[UUID]:
    vector = QueryVector(MODEL, query.vector.tolist())
    with workspace_scope(place.caller):
        found = search.rank_nodes(
            caller=place.caller, nodes=_nodes(place), query=query.text, vector=vector, mode="hybrid", limit=TOP
        )
    return {hit.id for hit in found.hits}


def _nodes(place: Place) -> NodeQuerySet:
    return Node.objects.of(place.caller).recallable(utc_now())


def _recall(world: World, place: Place) -> float:
    """The fraction of the top ten that a comparison with every single node gives as well."""
    same = total = 0
    for query in _queries(world, place):
        with patch.object(search, "EXACT_UP_TO", 10**9):
            exact = _top(place, query)
        same, total = same + len(exact & _top(place, query)), total + len(exact)
    return round(same / total, 4)


def _percentiles(name: str, times: Sequence[float], target: float | None = None) -> Iterator[Figure]:
    median, p95 = median_and_p95(times)
    yield Figure(f"{name}: p50 ms", median)
    yield Figure(f"{name}: p95 ms", p95, target)


def _print(figures: Sequence[Figure]) -> None:
    for figure in figures:
        sign = "≥" if figure.is_share else "≤"
        target = "" if figure.target is None else f"{sign} {figure.target:g}{'' if figure.is_met else '  MISSED'}"
        print(f"{figure.name:52}{figure.value:>12,}  {target}")
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_size_pretty(pg_database_size(current_database()))")
        size = cursor.fetchone()[0]
    print(f"\n{machine()}; the database has {size}. Texts, vectors and queries are synthetic.")


if __name__ == "__main__":
    main()
