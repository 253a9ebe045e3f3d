"""Connections own what came through them: deleting one removes its slice from rows, vectors and graph."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest
from django_q.models import OrmQ

from core.stores.graph import graph
from ontology.connections import services as connections
from ontology.connections import tasks as connections_tasks
from ontology.connections.selectors import access_connection
from ontology.connections.tasks import remove_all, remove_connection
from ontology.graph.services.graph_doctor import graph_drift
from ontology.models import Change, Edge, Node, NodeEmbedding
from tests.cast import Cast, RestClient
from tests.ontology.conftest import Ontology
from tests.together import together
from workspaces.access.callers import Right
from workspaces.access.scope import workspace_scope

pytestmark = pytest.mark.usefixtures("_clean_graph")


@pytest.fixture
def crm(cast: Cast, ontology: Ontology, acme: RestClient) -> dict[str, str]:
    """A connection with two nodes and two edges, one of them between nodes of somebody else; all projected."""
    crm = ontology.connection()
    ada, bob, own, other = (
        ontology.node("Ada", connection=crm),
        ontology.node("Bob", connection=crm),
        ontology.node("Own"),
        ontology.node("Other"),
    )
    ontology.edge(ada, bob, connection=crm)
    ontology.edge(own, ada)
    through = ontology.edge(own, other, connection=crm)
    kept = ontology.edge(other, own)
    acme.patch(f"ontology/nodes/{ada}", {"name": "Ada L."})
    with workspace_scope(cast.acme.caller):
        for node_id in (ada, bob, own):
            NodeEmbedding.objects.create(
                workspace_id=acme.workspace_id, node_id=node_id, model="m", dimensions=1, vector=[1.0]
            )
    ontology.project()
    return {"id": crm, "ada": ada, "bob": bob, "own": own, "other": other, "through": through, "kept": kept}


def test_its_slice_goes_from_everywhere_with_counts(
    cast: Cast, ontology: Ontology, acme: RestClient, crm: dict[str, str]
) -> None:
    answer = acme.delete(f"ontology/connections/{crm['id']}")

    assert answer.status_code == 200
    removal = answer.json()["removal"]
    assert {name: removal[name] for name in ("nodes", "edges", "vectors", "is_complete")} == {
        "nodes": 2,
        "edges": 3,
        "vectors": 2,
        "is_complete": True,
    }
    with workspace_scope(cast.acme.caller):
        assert {str(node.id) for node in Node.objects.all()} == {crm["own"], crm["other"]}
        assert [str(edge.id) for edge in Edge.objects.all()] == [crm["kept"]]
        assert [str(found.pk) for found in NodeEmbedding.objects.all()] == [crm["own"]]
        assert not Change.objects.exists(), "A change tells what a removed node was before."
    ontology.project()
    drift = graph_drift(workspace_id=acme.workspace_id, graph=graph())
    assert (drift.missing, drift.superfluous, drift.edges.superfluous) == ((), (), ())
    assert acme.get(f"ontology/nodes/{crm['ada']}").status_code == 404
    assert ontology.listed("connections") == []
    assert acme.get(f"ontology/connections/{crm['id']}").json()["removal"] == removal
    assert acme.delete(f"ontology/connections/{crm['id']}").json()["removal"] == removal


def test_a_large_slice_is_removed_in_the_background_with_progress(
    acme: RestClient, crm: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "REMOVED_DIRECTLY", 1)
    monkeypatch.setattr(connections, "REMOVED_AT_ONCE", 1)
    monkeypatch.setattr(connections_tasks, "REMOVALS_AT_ONCE", 1)

    def removal() -> dict[str, Any]:
        return dict(acme.get(f"ontology/connections/{crm['id']}").json()["removal"])

    assert acme.delete(f"ontology/connections/{crm['id']}").status_code == 202
    assert (removal()["nodes"], removal()["total"], removal()["is_complete"]) == (0, 4, False)
    assert OrmQ.objects.filter(key__isnull=False).exists()

    assert remove_connection(str(acme.workspace_id), crm["id"]) is False
    assert (removal()["nodes"], removal()["is_complete"]) == (1, False)
    while remove_all():
        pass
    assert (removal()["nodes"], removal()["edges"], removal()["is_complete"]) == (2, 3, True)


def test_a_deleted_slice_of_any_size_is_read_nowhere_while_no_worker_runs(
    cast: Cast, ontology: Ontology, acme: RestClient, crm: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "REMOVED_DIRECTLY", 1)
    ada, own, other = crm["ada"], crm["own"], crm["other"]

    assert acme.delete(f"ontology/connections/{crm['id']}").status_code == 202

    assert acme.get(f"ontology/nodes/{ada}").status_code == 404
    assert acme.get(f"ontology/edges/{crm['through']}").status_code == 404
    assert sorted(ontology.listed("nodes")) == sorted([own, other])
    assert ontology.listed("nodes", connection=crm["id"]) == []
    assert ontology.listed("edges") == [crm["kept"]]
    assert ontology.beside(own, depth="3") == ["Other"]
    for path, body in (
        ("ontology/search", {"query": "Ada", "mode": "keyword"}),
        ("context", {"query": "What is known of Ada?"}),
        ("ontology/ask", {"question": "Who is Ada?"}),
    ):
        assert ada not in acme.post(path, body).content.decode(), path
    body = {"type": "knows", "source": own, "target": ada}
    assert acme.post("ontology/edges", body).status_code == 404
    assert acme.patch(f"ontology/nodes/{ada}", {"name": "Back"}).status_code == 404
    counts = {one["name"]: one["count"] for one in acme.get("ontology/types").json()["results"]}
    assert (counts["person"], counts["knows"]) == (2, 1)


def test_a_connection_of_the_same_name_brings_the_same_edges_again(
    ontology: Ontology, acme: RestClient, crm: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "REMOVED_DIRECTLY", 1)
    acme.delete(f"ontology/connections/{crm['id']}")

    again = ontology.connection()
    ada = ontology.node("Ada", connection=again)
    edge = ontology.edge(crm["own"], crm["other"], connection=again)
    while remove_all():
        pass

    assert edge != crm["through"]
    assert sorted(ontology.listed("edges")) == sorted([edge, crm["kept"]])
    assert sorted(ontology.listed("nodes")) == sorted([ada, crm["own"], crm["other"]])


def test_nothing_comes_through_a_deleted_connection(ontology: Ontology, acme: RestClient) -> None:
    crm, ada, bob = ontology.connection(), ontology.node("Ada"), ontology.node("Bob")
    acme.delete(f"ontology/connections/{crm}")

    node = {"type": "person", "name": "Late", "connection": crm}
    edge = {"type": "knows", "source": ada, "target": bob, "connection": crm}
    assert [acme.post(f"ontology/{what}", body).status_code for what, body in (("nodes", node), ("edges", edge))] == [
        404,
        404,
    ]


def test_names_are_taken_while_the_connection_lives(ontology: Ontology, acme: RestClient) -> None:
    crm = ontology.connection("crm")
    assert acme.post("ontology/connections", {"name": "crm"}).json()["code"] == "connection_name_taken"
    acme.delete(f"ontology/connections/{crm}")
    assert acme.post("ontology/connections", {"name": "crm", "kind": "salesforce"}).status_code == 201


def test_only_admins_delete_one(cast: Cast, ontology: Ontology) -> None:
    crm = ontology.connection()

    answer = cast.acme.rest(Right.READ, Right.WRITE).delete(f"ontology/connections/{crm}")

    assert (answer.status_code, answer.json()["code"]) == (403, "missing_scope")


@pytest.mark.django_db(transaction=True)
def test_a_removal_lets_go_on_who_holds_a_node_that_it_waits_for(cast: Cast, ontology: Ontology) -> None:
    crm = UUID(ontology.connection())
    node_id = ontology.node(connection=str(crm))

    def change_twice() -> None:
        with workspace_scope(cast.acme.caller, statement_seconds=5):
            for is_waiting in (True, False):  # the second time, PostgreSQL looks at the connection again
                Node.objects.filter(id=node_id).update(needs_matching=is_waiting)

    with workspace_scope(cast.acme.caller):
        access_connection(cast.acme.caller, crm, lock=True)
        together([change_twice])
