"""Two nodes become one and two again: what moves, what is remembered, and what a candidate is."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from core.clock import utc_now
from core.embedding import default_embedder
from core.ids import id_from_time
from core.stores.graph import graph
from llm.embedding.tasks import embed_workspace
from ontology.graph.services.graph_doctor import graph_drift
from ontology.matching.tasks import match_all, match_workspace
from ontology.models import Edge, Node, NodeEmbedding
from tests.cast import Cast, RestClient
from tests.ontology.conftest import Ontology
from workspaces.access.scope import workspace_scope

pytestmark = pytest.mark.usefixtures("_clean_graph")


def merge(client: RestClient, keep: str, absorb: str) -> str:
    answer = client.post("ontology/merge", {"keep": keep, "absorb": absorb})
    assert answer.status_code == 201, answer.content
    return str(answer.json()["id"])


def picture(cast: Cast) -> list[dict[str, Any]]:
    """Every node and edge, all of it but what counts its changes."""
    left_out = {"version", "updated_at", "needs_embedding", "needs_matching", "words"}
    with workspace_scope(cast.acme.caller):
        rows = [row for model in (Node, Edge) for row in model._default_manager.order_by("id").values()]
    return [{name: value for name, value in row.items() if name not in left_out} for row in rows]


@pytest.fixture
def twins(ontology: Ontology) -> tuple[str, str]:
    """Two nodes for one person, with edges that are alike, that differ, between them, and from one to itself."""
    keep = ontology.node("Ada Lovelace", properties={"role": "engineer", "aliases": ["AAL"]})
    absorb = ontology.node("A. Lovelace", properties={"role": "poet", "city": "London"})
    bob, eve = ontology.node("Bob"), ontology.node("Eve")
    for source, target in (
        (keep, bob),
        (absorb, bob),
        (absorb, eve),
        (eve, absorb),
        (keep, absorb),
        (absorb, keep),
        (absorb, absorb),
    ):
        ontology.edge(source, target)
    return keep, absorb


def test_a_merge_moves_what_the_other_had(ontology: Ontology, acme: RestClient, twins: tuple[str, str]) -> None:
    keep, absorb = twins
    ontology.project()

    answer = acme.post("ontology/merge", {"keep": keep, "absorb": absorb}).json()

    assert {
        name: answer[name] for name in ("kept", "absorbed", "moved_edges", "dropped_edges", "added_properties")
    } == {
        "kept": keep,
        "absorbed": absorb,
        "moved_edges": 3,
        "dropped_edges": 3,
        "added_properties": ["city"],
    }
    node = acme.get(f"ontology/nodes/{keep}").json()
    assert node["properties"] == {"role": "engineer", "city": "London", "aliases": ["AAL", "A. Lovelace"]}
    assert acme.get(f"ontology/nodes/{absorb}").json()["is_deleted"] is True
    assert ontology.beside(keep) == ["Bob", "Eve"]
    edges = acme.get("ontology/edges").json()["results"]
    assert {(edge["source"] == keep, edge["target"] == keep) for edge in edges} == {
        (True, False),
        (False, True),
        (True, True),
    }
    ontology.project()
    assert graph_drift(workspace_id=acme.workspace_id, graph=graph()).is_none
    assert ontology.beside(keep) == ["Bob", "Eve"]


def test_undoing_a_merge_leaves_everything_as_it_was(
    cast: Cast, ontology: Ontology, acme: RestClient, twins: tuple[str, str]
) -> None:
    before = picture(cast)
    merge_id = merge(acme, *twins)
    ontology.project()
    assert picture(cast) != before

    for _ in range(2):
        assert acme.post(f"ontology/merges/{merge_id}/undo").json()["undone_at"]
        assert picture(cast) == before
    ontology.project()
    assert graph_drift(workspace_id=acme.workspace_id, graph=graph()).is_none
    assert [one["id"] for one in acme.get("ontology/merges").json()["results"]] == [merge_id]


def test_what_was_changed_since_stays_changed(ontology: Ontology, acme: RestClient, twins: tuple[str, str]) -> None:
    keep, absorb = twins
    merge_id = merge(acme, keep, absorb)
    acme.patch(f"ontology/nodes/{keep}", {"properties": {"city": "Paris", "role": "countess"}})
    new = ontology.edge(keep, ontology.node("Zoe"))

    acme.post(f"ontology/merges/{merge_id}/undo")

    kept = acme.get(f"ontology/nodes/{keep}").json()["properties"]
    assert kept == {"city": "Paris", "role": "countess", "aliases": ["AAL"]}
    assert acme.get(f"ontology/edges/{new}").json()["source"] == keep


def test_an_edge_that_has_become_like_another_stays_one(ontology: Ontology, acme: RestClient) -> None:
    keep, absorb, bob = ontology.node("Ada"), ontology.node("A."), ontology.node("Bob")
    in_the_way = ontology.edge(keep, bob, type="helps")
    moved, dropped = ontology.edge(absorb, bob, type="knows"), ontology.edge(absorb, bob, type="helps")
    merge_id = merge(acme, keep, absorb)
    acme.delete(f"ontology/edges/{in_the_way}")
    acme.patch(f"ontology/edges/{moved}", {"type": "helps"})

    assert acme.post(f"ontology/merges/{merge_id}/undo").status_code == 200
    assert ontology.listed("edges", source=absorb) == [moved]
    assert acme.get(f"ontology/edges/{dropped}").json()["is_deleted"] is True


def test_what_one_node_cannot_hold_is_not_merged(ontology: Ontology, acme: RestClient) -> None:
    keep, absorb = (ontology.node(name, properties={name: "tea " * 3_000}) for name in ("ada", "bob"))

    answer = acme.post("ontology/merge", {"keep": keep, "absorb": absorb})

    assert (answer.status_code, answer.json()["code"]) == (413, "content_too_large")
    assert acme.get(f"ontology/nodes/{absorb}").json()["is_deleted"] is False


def test_merges_are_undone_from_the_newest_on(ontology: Ontology, cast: Cast, acme: RestClient) -> None:
    first, second, third = (ontology.node(name) for name in ("Ada", "Bob", "Eve"))
    ontology.edge(third, first)
    before = picture(cast)
    inner = merge(acme, second, third)
    outer = merge(acme, first, second)

    answer = acme.post(f"ontology/merges/{inner}/undo")
    assert (answer.status_code, answer.json()["code"]) == (409, "merge_built_upon")
    for merge_id in (outer, inner):
        assert acme.post(f"ontology/merges/{merge_id}/undo").status_code == 200
    assert picture(cast) == before


def test_the_newest_merge_is_known_where_clocks_are_apart(
    ontology: Ontology, acme: RestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second, third = (ontology.node(name) for name in ("Ada", "Bob", "Eve"))
    inner = merge(acme, second, third)
    monkeypatch.setattr("core.ids.uuid7", lambda: id_from_time(utc_now() - timedelta(hours=1)))
    outer = merge(acme, first, second)

    assert acme.post(f"ontology/merges/{inner}/undo").status_code == 409
    assert [acme.post(f"ontology/merges/{merge_id}/undo").status_code for merge_id in (outer, inner)] == [200, 200]


def test_an_absorbed_node_comes_back_by_undoing_only(acme: RestClient, twins: tuple[str, str]) -> None:
    keep, absorb = twins
    merge_id = merge(acme, keep, absorb)

    answer = acme.post(f"ontology/nodes/{absorb}/restore")

    assert (answer.status_code, answer.json()["code"]) == (409, "merged")
    assert merge_id in answer.json()["detail"]
    assert acme.post("ontology/merge", {"keep": keep, "absorb": absorb}).status_code == 404


def test_references_move_and_come_back(cast: Cast, acme: RestClient, twins: tuple[str, str]) -> None:
    keep, absorb = twins
    with workspace_scope(cast.acme.caller):
        Node.objects.filter(id=absorb).update(reference_count=3)
        Node.objects.filter(id=keep).update(reference_count=2)

    merge_id = merge(acme, keep, absorb)
    assert acme.get(f"ontology/nodes/{keep}").json()["reference_count"] == 5
    acme.post(f"ontology/merges/{merge_id}/undo")
    assert acme.get(f"ontology/nodes/{keep}").json()["reference_count"] == 2


def test_what_cannot_be_merged(ontology: Ontology, acme: RestClient) -> None:
    ada, memory_id = ontology.node("Ada"), acme.remembered("Tea.")["id"]

    for keep, absorb, status, code in (
        (ada, ada, 422, "invalid"),
        (ada, memory_id, 409, "governed_node"),
        (memory_id, ada, 409, "governed_node"),
    ):
        answer = acme.post("ontology/merge", {"keep": keep, "absorb": absorb})
        assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_deleting_a_connection_first_takes_apart_what_was_merged_across_it(
    cast: Cast, ontology: Ontology, acme: RestClient
) -> None:
    crm = ontology.connection()
    own = ontology.node("Ada", properties={"role": "engineer"})
    bob = ontology.node("Bob")
    ontology.edge(own, bob)
    before = picture(cast)
    theirs = ontology.node("A. Lovelace", connection=crm, properties={"phone": "1"})
    ontology.edge(theirs, bob, type="calls", connection=crm)
    merge(acme, own, theirs)
    other = ontology.node("Bob B.", connection=crm)
    merge(acme, other, bob)

    acme.delete(f"ontology/connections/{crm}")

    assert picture(cast) == before


def test_candidates_by_name_alias_and_neighbours_and_keeping_apart(ontology: Ontology, acme: RestClient) -> None:
    ada, other = ontology.node("Ada Lovelace"), ontology.node("ada lovelace")
    bob = ontology.node("Robert", properties={"aliases": ["Bob", 7]})
    alias = ontology.node("Bob")
    ontology.node("Person 7")
    ontology.node("Person 8")
    match_workspace(str(acme.workspace_id))

    def told() -> dict[frozenset[str], list[str]]:
        found = acme.get("ontology/merge-candidates").json()["results"]
        return {
            frozenset(node["id"] for node in one["nodes"]): [reason["reason"] for reason in one["reasons"]]
            for one in found
        }

    assert told() == {frozenset({ada, other}): ["name"], frozenset({bob, alias}): ["alias"]}

    first = acme.get("ontology/merge-candidates").json()["results"][0]
    kept = acme.post(f"ontology/merge-candidates/{first['id']}/keep-apart").json()
    assert kept["kept_apart_by"] == "Acme agent"
    acme.patch(f"ontology/nodes/{ada}", {"name": "Ada  Lovelace"})
    match_all()
    assert told() == {frozenset({bob, alias}): ["alias"]}

    merge_id = merge(acme, bob, alias)
    assert told() == {}
    acme.post(f"ontology/merges/{merge_id}/undo")
    assert told() == {frozenset({bob, alias}): ["alias"]}


def test_a_pair_of_a_space_that_a_call_only_reads_is_not_kept_apart_by_it(ontology: Ontology, acme: RestClient) -> None:
    ontology.node("Ada Lovelace")
    ontology.node("ada lovelace")
    match_workspace(str(acme.workspace_id))
    [pair] = acme.get("ontology/merge-candidates", user="alice").json()["results"]

    refused = acme.post(f"ontology/merge-candidates/{pair['id']}/keep-apart?user=alice")

    assert (refused.status_code, refused.json()["code"]) == (403, "other_space")
    assert acme.get("ontology/merge-candidates").json()["results"] == [pair]


def test_candidates_by_meaning(cast: Cast, ontology: Ontology, acme: RestClient) -> None:
    embedder = default_embedder()
    assert embedder is not None
    names = ("Acme Corporation", "Acme Corp.", "Blue whale")
    acme_corporation, acme_corp, _ = (ontology.node(name) for name in names)
    embed_workspace(str(acme.workspace_id))
    with workspace_scope(cast.acme.caller):
        assert NodeEmbedding.objects.count() == 3
        assert Node.objects.filter(needs_matching=True).count() == 3
    match_workspace(str(acme.workspace_id))

    found = acme.get("ontology/merge-candidates").json()["results"]

    assert [{node["id"] for node in one["nodes"]} for one in found] == [{acme_corporation, acme_corp}]
    assert "vector" in {reason["reason"] for reason in found[0]["reasons"]}
