"""Nodes over REST: created, read, edited, deleted, restored, listed; and what may not be kept in one."""

from __future__ import annotations

from typing import Any

import pytest

from ontology.models import Node, NodeEmbedding
from tests.cast import Cast, RestClient
from tests.ontology.conftest import Ontology
from tests.rules.doors import is_problem
from workspaces.access.callers import Right
from workspaces.access.scope import workspace_scope


def test_a_node_is_kept_as_it_was_described(ontology: Ontology, acme: RestClient) -> None:
    connection = ontology.connection()
    body = {"type": "person", "name": "Ada Lovelace", "properties": {"role": "engineer"}, "connection": connection}

    made = acme.post("ontology/nodes", body)

    assert made.status_code == 201
    node = made.json()
    assert {name: node[name] for name in body} == body
    assert (node["is_deleted"], node["content"], node["provenance"]["source"]) == (False, None, "agent")
    assert acme.get(f"ontology/nodes/{node['id']}").json() == node


def test_editing_patches_properties_one_by_one_and_leaves_history(ontology: Ontology, acme: RestClient) -> None:
    node_id = ontology.node(properties={"role": "engineer", "city": "London"})

    edited = acme.patch(f"ontology/nodes/{node_id}", {"name": "Ada L.", "properties": {"role": "poet", "city": None}})

    assert (edited.json()["name"], edited.json()["properties"]) == ("Ada L.", {"role": "poet"})
    history = acme.get(f"ontology/nodes/{node_id}/history").json()["results"]
    assert [change["action"] for change in history] == ["edit"]
    assert history[0]["before"] == {"name": "Ada", "properties": {"role": "engineer", "city": "London"}}


def test_an_edit_that_changes_nothing_leaves_no_trace(ontology: Ontology, acme: RestClient) -> None:
    node_id = ontology.node(properties={"role": "engineer"})
    before = acme.get(f"ontology/nodes/{node_id}").json()

    assert acme.patch(f"ontology/nodes/{node_id}", {"name": "Ada", "properties": {}}).json() == before
    assert acme.get(f"ontology/nodes/{node_id}/history").json()["results"] == []


@pytest.mark.parametrize("kind", ["fact", "Fact", "MEMORY", "f\u0430ct", "fa ct"])
def test_nothing_that_reads_like_a_fact_is_a_type(ontology: Ontology, acme: RestClient, kind: str) -> None:
    made = acme.post("ontology/nodes", {"type": kind, "name": "n"})
    edited = acme.patch(f"ontology/nodes/{ontology.node()}", {"type": kind})

    assert [(answer.status_code, answer.json()["code"]) for answer in (made, edited)] == [(422, "governed_type")] * 2


def test_types_of_memories_are_described_with_the_right_facts_only(cast: Cast) -> None:
    cast.acme.rest().remembered("The kettle is blue.")
    entry = cast.acme.rest().get("ontology/types").json()["results"][0]["id"]
    changes = {"description": "Whatever a page says."}

    refused = cast.acme.rest(Right.READ, Right.WRITE).patch(f"ontology/types/{entry}", changes)

    assert (refused.status_code, refused.json()["code"]) == (403, "missing_scope")
    assert cast.acme.rest().patch(f"ontology/types/{entry}", changes).status_code == 200


def test_a_list_is_narrowed_by_few_properties(acme: RestClient) -> None:
    def status(number: int) -> int:
        return int(acme.get("ontology/nodes?" + "&".join(["property=city:London"] * number)).status_code)

    assert [status(20), status(21)] == [200, 422]


def test_a_deleted_node_is_out_of_lists_and_comes_back(ontology: Ontology, acme: RestClient) -> None:
    node_id = ontology.node()

    for _ in range(2):
        assert acme.delete(f"ontology/nodes/{node_id}").json()["is_deleted"] is True
    assert ontology.listed("nodes") == []
    assert ontology.listed("nodes", include_deleted=True) == [node_id]
    assert acme.get(f"ontology/nodes/{node_id}").json()["is_deleted"] is True
    assert acme.patch(f"ontology/nodes/{node_id}", {"name": "X"}).status_code == 404

    for _ in range(2):
        assert acme.post(f"ontology/nodes/{node_id}/restore").json()["is_deleted"] is False
    assert ontology.listed("nodes") == [node_id]
    assert len(acme.get(f"ontology/nodes/{node_id}/history").json()["results"]) == 2


def test_lists_are_narrowed_by_every_filter(ontology: Ontology) -> None:
    connection = ontology.connection()
    ada = ontology.node("Ada", properties={"age": 36, "city": "London"}, connection=connection)
    bob = ontology.node("Bob", type="dog", properties={"city": "Paris", "is_good": True})

    for query, found in (
        ({"type": "dog"}, [bob]),
        ({"type": "dog,person"}, [bob, ada]),
        ({"connection": connection}, [ada]),
        ({"name": "Ada"}, [ada]),
        ({"q": "aD"}, [ada]),
        ({"property": "city:Paris"}, [bob]),
        ({"property": ["age:36", "city:London"]}, [ada]),
        ({"property": "is_good:true"}, [bob]),
        ({"created_after": "2030-01-01T00:00:00Z"}, []),
        ({"created_before": "2030-01-01T00:00:00Z"}, [bob, ada]),
    ):
        assert ontology.listed("nodes", **query) == found, query


@pytest.mark.parametrize(
    "query", [{"property": "city"}, {"connection": "x"}, {"colour": "red"}, {"created_after": "x"}]
)
def test_a_filter_that_says_nothing_is_refused(acme: RestClient, query: dict[str, str]) -> None:
    answer = acme.get("ontology/nodes", **query)

    assert (answer.status_code, is_problem(answer)) == (422, True)


@pytest.mark.parametrize("value", ["NaN", "-Infinity", "1e400", r'"\ud800"', r'"\u0000"', "[" * 9_999])
def test_a_property_that_nothing_can_have_finds_nothing(ontology: Ontology, value: str) -> None:
    ontology.node(properties={"age": 36})

    assert ontology.listed("nodes", property=f"age:{value}") == []
    assert ontology.listed("edges", property=f"age:{value}") == []


def test_a_name_that_nobody_could_see_is_refused(ontology: Ontology, acme: RestClient) -> None:
    node_id = ontology.node()

    for answer in (
        acme.post("ontology/nodes", {"type": "person", "name": "\u200b"}),
        acme.patch(f"ontology/nodes/{node_id}", {"name": "\u2060 \u200b"}),
        acme.post("ontology/connections", {"name": "\u200b"}),
    ):
        assert (answer.status_code, answer.json()["errors"][0]["code"]) == (422, "blank")


def test_lists_go_on_with_cursors(ontology: Ontology, acme: RestClient) -> None:
    made = [ontology.node(f"Node {number}") for number in range(5)]

    first = acme.get("ontology/nodes", limit=3).json()
    second = acme.get(first["next"].partition("testserver")[2]).json()

    assert [node["id"] for page in (first, second) for node in page["results"]] == made[::-1]
    assert second["next"] is None


SECRET = "ghp_" + "a1B2" * 9


@pytest.mark.parametrize(
    ("fields", "status", "code"),
    [
        ({"name": f"Token {SECRET}"}, 422, "secret_refused"),
        ({"properties": {"note": f"use {SECRET}"}}, 422, "secret_refused"),
        ({"properties": {"password": "hunter2!x"}}, 422, "secret_refused"),
        ({"properties": {"logins": [{"api_key": "k9f8s7d6f5"}]}}, 422, "secret_refused"),
        ({"properties": {"text": "x" * 16_001}}, 413, "content_too_large"),
        ({"name": "x" * 301}, 422, "invalid"),
        ({"type": "x" * 65}, 422, "invalid"),
        ({"type": "memory"}, 422, "governed_type"),
        ({"type": "fact"}, 422, "governed_type"),
    ],
)
def test_what_may_not_be_kept_is_refused_with_a_reason(
    ontology: Ontology, acme: RestClient, fields: dict[str, Any], status: int, code: str
) -> None:
    kept = ontology.node("Kept")

    for answer in (
        acme.post("ontology/nodes", {"type": "person", "name": "Ada", **fields}),
        acme.patch(f"ontology/nodes/{kept}", fields),
    ):
        assert (answer.status_code, answer.json()["code"]) == (status, code)
        assert SECRET not in answer.content.decode()
    assert ontology.listed("nodes") == [kept]


def test_nodes_of_memories_are_read_here_and_governed_by_their_own_routes(acme: RestClient) -> None:
    memory_id = acme.remembered("Tea is ordered on Mondays.", kind="fact")["id"]
    acme.post(f"memories/{memory_id}/pin")

    node = acme.get(f"ontology/nodes/{memory_id}").json()
    assert (node["type"], node["content"]) == ("fact", "Tea is ordered on Mondays.")

    for answer in (
        acme.patch(f"ontology/nodes/{memory_id}", {"name": "x"}),
        acme.patch(f"ontology/nodes/{memory_id}", {"type": "person"}),
        acme.delete(f"ontology/nodes/{memory_id}"),
        acme.post(f"ontology/nodes/{memory_id}/restore"),
    ):
        assert (answer.status_code, answer.json()["code"]) == (409, "governed_node")
        assert f"memories/{memory_id}" in answer.json()["detail"]
    assert acme.get(f"memories/{memory_id}").json()["pinned"] is True


def test_a_new_text_drops_the_vector_at_once(cast: Cast, ontology: Ontology, acme: RestClient) -> None:
    node_id = ontology.node()
    with workspace_scope(cast.acme.caller):
        NodeEmbedding.objects.create(
            workspace_id=acme.workspace_id, node_id=node_id, model="m", dimensions=1, vector=[1.0]
        )
        Node.objects.filter(id=node_id).update(needs_embedding=False)

    acme.patch(f"ontology/nodes/{node_id}", {"properties": {"role": "poet"}})

    with workspace_scope(cast.acme.caller):
        node = Node.objects.get(id=node_id)
        assert (node.body, node.needs_embedding, NodeEmbedding.objects.exists()) == ("role: poet", True, False)


def test_types_register_themselves_and_count(ontology: Ontology, acme: RestClient) -> None:
    ada, bob = ontology.node("Ada"), ontology.node("Bob", type="dog")
    ontology.edge(ada, bob, type="walks")

    def told() -> dict[str, tuple[str, int]]:
        types = acme.get("ontology/types").json()["results"]
        return {one["name"]: (one["entity"], one["count"]) for one in types}

    assert told() == {"person": ("node", 1), "dog": ("node", 1), "walks": ("edge", 1)}
    acme.delete(f"ontology/nodes/{bob}")
    assert told() == {"person": ("node", 1), "dog": ("node", 0), "walks": ("edge", 0)}


def test_a_type_is_described_removed_when_unused_and_comes_back(ontology: Ontology, acme: RestClient) -> None:
    node_id = ontology.node()
    entry = acme.get("ontology/types").json()["results"][0]["id"]

    assert acme.patch(f"ontology/types/{entry}", {"description": "Somebody."}).json()["description"] == "Somebody."
    assert acme.delete(f"ontology/types/{entry}").json()["code"] == "type_in_use"

    acme.delete(f"ontology/nodes/{node_id}")
    assert acme.delete(f"ontology/types/{entry}").json()["is_deleted"] is True
    assert acme.get("ontology/types").json()["results"] == []

    ontology.node("Grace")
    assert [one["description"] for one in acme.get("ontology/types").json()["results"]] == ["Somebody."]
