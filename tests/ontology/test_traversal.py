"""Neighbours, impact and paths: the same answers from the rows and from the graph, and what neither may show."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from itertools import pairwise
from typing import Any
from unittest.mock import patch
from uuid import UUID, uuid4

import pytest

from core.stores.graph import GraphUnavailableError, graph
from core.thread_timeouts import DeadlineError
from ontology.graph.services import traversal
from ontology.graph.services.traversal import GraphAdjacency, PostgresAdjacency
from ontology.graph.traversal_bfs import Direction, reach, shortest_path
from ontology.models import Node
from tests.cast import Cast, RestClient
from tests.ontology.conftest import Ontology
from workspaces.access.scope import workspace_scope

pytestmark = pytest.mark.usefixtures("_clean_graph")


@pytest.fixture(autouse=True)
def _graph_is_asked() -> Iterator[None]:
    """A pause after an earlier test's outage is none of this one's business."""
    graph()._left_alone_until = 0.0
    yield
    graph()._left_alone_until = 0.0


def without_graph() -> AbstractContextManager[Any]:
    return patch.object(traversal, "graph", side_effect=GraphUnavailableError)


METHODS: dict[str, Callable[[], AbstractContextManager[Any]]] = {"graph": nullcontext, "postgres": without_graph}


@pytest.mark.parametrize("method", METHODS)
def test_neighbours_by_distance_and_direction(ontology: Ontology, acme: RestClient, method: str) -> None:
    ada, bob, eve, zoe = (ontology.node(name) for name in ("Ada", "Bob", "Eve", "Zoe"))
    for source, target in ((ada, bob), (bob, eve), (zoe, ada)):
        ontology.edge(source, target)
    ontology.project()

    with METHODS[method]():
        assert ontology.beside(ada) == ["Bob", "Zoe"]
        assert ontology.beside(ada, depth=2) == ["Bob", "Zoe", "Eve"]
        assert ontology.beside(ada, depth=2, direction="out") == ["Bob", "Eve"]
        assert ontology.beside(ada, direction="in") == ["Zoe"]
        assert ontology.beside(ada, depth=2, limit=2) == ["Bob", "Zoe"]
        told = acme.get(f"ontology/nodes/{ada}/neighbours", depth=2, limit=2).json()
        impact = acme.get(f"ontology/nodes/{eve}/impact").json()

    assert (told["method"], told["is_truncated"], len(told["edges"])) == (method, True, 2)
    assert told["latency_ms"] > 0
    assert (impact["total"], [one["node"]["name"] for one in impact["results"]]) == (3, ["Bob", "Ada", "Zoe"])
    assert impact["by_distance"] == [{"distance": n, "count": 1} for n in (1, 2, 3)]
    assert impact["by_type"] == [{"type": "person", "count": 3}]


@pytest.mark.parametrize("method", METHODS)
def test_a_shortest_path_within_the_bound(ontology: Ontology, acme: RestClient, method: str) -> None:
    chain = [ontology.node(f"Node {number}") for number in range(6)]
    links = [ontology.edge(*ends) for ends in pairwise(chain)]
    shortcut = ontology.edge(chain[4], chain[1])
    far = ontology.node("Far away")
    ontology.project()

    def path(start: str, end: str, **bound: int) -> dict[str, Any]:
        return dict(acme.post("ontology/path", {"from": start, "to": end, **bound}).json())

    with METHODS[method]():
        found = path(chain[0], chain[5])
        assert [node["id"] for node in found["path"]["nodes"]] == [chain[0], chain[1], chain[4], chain[5]]
        assert [edge["id"] for edge in found["path"]["edges"]] == [links[0], shortcut, links[4]]
        assert (found["path"]["length"], found["method"]) == (3, method)
        assert path(chain[0], chain[5], max_depth=2)["path"] is None
        assert path(chain[0], far)["path"] is None
        assert path(far, far)["path"]["length"] == 0


def test_both_ways_to_walk_answer_the_same(cast: Cast, ontology: Ontology) -> None:
    dice = random.Random(4)
    nodes = [ontology.node(f"Node {number}") for number in range(30)]
    for _ in range(60):
        ontology.edge(dice.choice(nodes), dice.choice(nodes), type=dice.choice(["knows", "trusts"]))
    ontology.project()
    ids = [UUID(node) for node in nodes]
    rows, twins = PostgresAdjacency(cast.acme.caller), GraphAdjacency(cast.acme.caller, graph())

    with workspace_scope(cast.acme.caller):
        _compare(rows, twins, ids)


def _compare(rows: PostgresAdjacency, twins: GraphAdjacency, ids: list[UUID]) -> None:
    for start in ids[:10]:
        for direction in Direction:
            for depth, most in ((1, 100), (2, 7), (4, 100)):
                asked: dict[str, Any] = {"depth": depth, "direction": direction, "most": most, "hidden": ids[25:]}
                assert reach(rows, start, **asked) == reach(twins, start, **asked)
        for end in ids[20:25]:
            assert shortest_path(rows, start, end, max_depth=5, most=100) == shortest_path(
                twins, start, end, max_depth=5, most=100
            )


@pytest.mark.parametrize("seed", range(5))
def test_a_way_is_as_short_as_any(seed: int) -> None:
    """Against Floyd and Warshall, on graphs that are invented."""
    dice = random.Random(seed)
    ids = sorted(uuid4() for _ in range(14))
    links = {frozenset(dice.sample(ids, 2)) for _ in range(18)}
    distances = {(a, b): 0 if a == b else 1 if frozenset((a, b)) in links else 99 for a in ids for b in ids}
    for k in ids:
        for a in ids:
            for b in ids:
                distances[a, b] = min(distances[a, b], distances[a, k] + distances[k, b])

    class Invented:
        def adjacent_ids(self, given: Any, *, direction: Direction, most: int) -> list[UUID]:
            return [one for one in ids if any(frozenset((one, start)) in links for start in given)][:most]

    for a in ids:
        for b in ids:
            found = shortest_path(Invented(), a, b, max_depth=20, most=1_000)
            assert len(found.levels) - 1 == (distances[a, b] if distances[a, b] < 99 else -1)


@pytest.mark.parametrize("method", METHODS)
def test_what_may_not_be_recalled_is_neither_shown_nor_walked_over(
    ontology: Ontology, acme: RestClient, method: str
) -> None:
    ada, eve = ontology.node("Ada"), ontology.node("Eve")
    memory_id = acme.remembered("Ada and Eve met.")["id"]
    for person in (ada, eve):
        ontology.edge(memory_id, person, type="mentions")
    ontology.project()

    with METHODS[method]():
        assert acme.post("ontology/path", {"from": ada, "to": eve}).json()["path"]["length"] == 2
    acme.post(f"memories/{memory_id}/suppress")
    ontology.project()
    with METHODS[method]():
        assert ontology.beside(ada, depth=2) == []
        assert acme.post("ontology/path", {"from": ada, "to": eve}).json()["path"] is None


def test_a_change_is_seen_before_the_graph_has_it(ontology: Ontology, acme: RestClient) -> None:
    ada, bob = ontology.node("Ada"), ontology.node("Bob")
    ontology.edge(ada, bob)

    def told() -> tuple[list[str], str]:
        answer = acme.get(f"ontology/nodes/{ada}/neighbours").json()
        return [one["node"]["name"] for one in answer["results"]], answer["method"]

    assert told() == (["Bob"], "postgres")
    ontology.project()
    assert told() == (["Bob"], "graph")
    acme.delete(f"ontology/nodes/{bob}")
    assert told() == ([], "postgres")
    ontology.project()
    acme.post(f"ontology/nodes/{bob}/restore")
    assert told() == (["Bob"], "postgres")
    ontology.project()
    assert told() == (["Bob"], "graph")


def test_a_graph_that_hangs_is_passed_over_and_left_alone_for_a_while(ontology: Ontology, acme: RestClient) -> None:
    ada, bob = ontology.node("Ada"), ontology.node("Bob")
    ontology.edge(ada, bob)
    ontology.project()

    with patch.object(traversal, "run_with_timeout", side_effect=DeadlineError):
        assert ontology.beside(ada) == ["Bob"]
    assert acme.get(f"ontology/nodes/{ada}/neighbours").json()["method"] == "postgres"
    graph()._left_alone_until = 0.0
    assert acme.get(f"ontology/nodes/{ada}/neighbours").json()["method"] == "graph"


def test_a_graph_that_knows_of_a_way_that_is_gone_is_not_believed(
    cast: Cast, ontology: Ontology, acme: RestClient
) -> None:
    ada, bob = ontology.node("Ada"), ontology.node("Bob")
    ontology.edge(ada, bob)
    ontology.project()
    with workspace_scope(cast.acme.caller):  # behind the back of the provider: the outbox stays empty
        Node.objects.filter(id=bob).update(is_deleted=True)

    assert ontology.beside(ada) == []


@pytest.mark.parametrize("query", [{"depth": 0}, {"depth": 7}, {"direction": "up"}, {"limit": 1_001}, {"hops": 1}])
def test_bounds_are_kept(ontology: Ontology, acme: RestClient, query: dict[str, Any]) -> None:
    assert acme.get(f"ontology/nodes/{ontology.node()}/neighbours", **query).status_code == 422


def test_a_path_goes_from_one_node_to_another(ontology: Ontology, acme: RestClient) -> None:
    ada = ontology.node()

    missing = acme.post("ontology/path", {"to": ada}).json()["errors"]
    unknown = acme.post("ontology/path", {"from_": ada, "to": ada}).json()["errors"]

    assert [(problem["field"], problem["code"]) for problem in missing] == [("from", "required")]
    assert [problem["detail"] for problem in unknown] == ["This field is not known here. Known: from, to, max_depth."]
