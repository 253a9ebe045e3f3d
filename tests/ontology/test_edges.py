"""Edges over REST: one of a type from a node to another, hidden with either end and back with it."""

from __future__ import annotations

from uuid import uuid4

import pytest

from core.stores.graph import graph
from ontology.graph.services.graph_doctor import graph_drift
from tests.cast import RestClient
from tests.ontology.conftest import Ontology

pytestmark = pytest.mark.usefixtures("_clean_graph")


def test_an_edge_is_kept_once(ontology: Ontology, acme: RestClient) -> None:
    ada, bob = ontology.node("Ada"), ontology.node("Bob")
    body = {"type": "knows", "source": ada, "target": bob, "properties": {"since": 2020}}

    made, again = acme.post("ontology/edges", body), acme.post("ontology/edges", {**body, "properties": {}})

    assert (made.status_code, again.status_code) == (201, 200)
    assert again.json() == made.json()
    assert {name: made.json()[name] for name in body} == body
    assert ontology.edge(bob, ada) != made.json()["id"], "The other direction is another edge."
    assert acme.get(f"ontology/edges/{made.json()['id']}").json() == made.json()


def test_editing_deleting_and_restoring(ontology: Ontology, acme: RestClient) -> None:
    ada, bob = ontology.node("Ada"), ontology.node("Bob")
    edge = ontology.edge(ada, bob, properties={"since": 2020})

    edited = acme.patch(f"ontology/edges/{edge}", {"type": "trusts", "properties": {"why": "school"}}).json()
    assert (edited["type"], edited["properties"]) == ("trusts", {"since": 2020, "why": "school"})

    assert acme.delete(f"ontology/edges/{edge}").json()["is_deleted"] is True
    assert (ontology.listed("edges"), ontology.listed("edges", include_deleted=True)) == ([], [edge])
    twin = ontology.edge(ada, bob, type="trusts")
    assert acme.post(f"ontology/edges/{edge}/restore").json()["code"] == "duplicate_edge"
    acme.delete(f"ontology/edges/{twin}")
    assert acme.post(f"ontology/edges/{edge}/restore").json()["is_deleted"] is False


def test_an_edge_cannot_be_edited_into_another_one(ontology: Ontology, acme: RestClient) -> None:
    ada, bob = ontology.node("Ada"), ontology.node("Bob")
    edge = ontology.edge(ada, bob)
    ontology.edge(ada, bob, type="trusts")

    answer = acme.patch(f"ontology/edges/{edge}", {"type": "trusts"})

    assert (answer.status_code, answer.json()["code"]) == (409, "duplicate_edge")


def test_an_edge_needs_two_live_nodes(ontology: Ontology, acme: RestClient) -> None:
    ada, gone = ontology.node("Ada"), ontology.node("Gone")
    acme.delete(f"ontology/nodes/{gone}")

    for end in (gone, str(uuid4())):
        for source, target, absent in ((ada, end, "target"), (end, ada, "source")):
            answer = acme.post("ontology/edges", {"type": "knows", "source": source, "target": target})
            assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
            assert [problem["field"] for problem in answer.json()["errors"]] == [absent]


def test_edges_are_hidden_with_a_node_and_come_back_with_it(ontology: Ontology, acme: RestClient) -> None:
    ada, bob, eve = (ontology.node(name) for name in ("Ada", "Bob", "Eve"))
    kept, out, into = ontology.edge(bob, eve), ontology.edge(ada, bob), ontology.edge(eve, ada)
    ontology.project()

    acme.delete(f"ontology/nodes/{ada}")
    assert ontology.listed("edges") == [kept]
    assert acme.patch(f"ontology/edges/{out}", {"type": "x"}).status_code == 404
    assert acme.post(f"ontology/edges/{out}/restore").json()["code"] == "end_deleted"
    ontology.project()
    assert graph_drift(workspace_id=acme.workspace_id, graph=graph()).is_none

    acme.post(f"ontology/nodes/{ada}/restore")
    assert ontology.listed("edges") == [into, out, kept]
    ontology.project()
    drift = graph_drift(workspace_id=acme.workspace_id, graph=graph())
    assert (drift.is_none, drift.edges.compared) == (True, 3)


def test_edges_of_a_memory_are_hidden_while_it_is_forgotten(ontology: Ontology, acme: RestClient) -> None:
    memory_id = acme.remembered("Ada likes tea.")["id"]
    edge = ontology.edge(memory_id, ontology.node("Ada"), type="mentions")

    acme.delete(f"memories/{memory_id}")
    assert ontology.listed("edges") == []
    acme.post(f"memories/{memory_id}/restore")
    assert ontology.listed("edges") == [edge]
    ontology.project()
    assert graph_drift(workspace_id=acme.workspace_id, graph=graph()).is_none


def test_lists_are_narrowed_by_every_filter(ontology: Ontology) -> None:
    ada, bob, eve = (ontology.node(name) for name in ("Ada", "Bob", "Eve"))
    connection = ontology.connection()
    first = ontology.edge(ada, bob, properties={"since": 2020}, connection=connection)
    second = ontology.edge(eve, ada, type="trusts")

    for query, found in (
        ({}, [second, first]),
        ({"type": "trusts"}, [second]),
        ({"source": ada}, [first]),
        ({"target": ada}, [second]),
        ({"node": ada}, [second, first]),
        ({"property": "since:2020"}, [first]),
        ({"connection": connection}, [first]),
        ({"created_after": "2030-01-01T00:00:00Z"}, []),
    ):
        assert ontology.listed("edges", **query) == found, query
