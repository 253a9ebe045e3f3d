"""Users connect the same shared nodes by the same type: each has an edge of their own, and sees no trace of others'."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.cast import RestClient


@pytest.fixture
def edge(acme: RestClient) -> dict[str, Any]:
    """An edge between shared nodes that Alice has in her own space."""
    ada, acme_inc = (
        acme.post("ontology/nodes", {"type": kind, "name": name}).json()["id"]
        for kind, name in (("person", "Ada"), ("organization", "Acme"))
    )
    body = {"type": "works_at", "source": ada, "target": acme_inc}
    assert acme.post("ontology/edges?user=alice", body).status_code == 201
    return body


def test_each_space_has_an_edge_of_its_own(acme: RestClient, edge: dict[str, Any]) -> None:
    answers = [acme.post(f"ontology/edges?user={user}", edge) for user in ("bob", "alice", "bob")]

    assert [answer.status_code for answer in answers] == [201, 200, 200]
    assert answers[0].json()["id"] == answers[2].json()["id"] != answers[1].json()["id"]
    assert acme.post("ontology/edges", edge).status_code == 201, "Nothing in `shared` tells that others have one."


def test_one_that_is_shared_stands_for_all(acme: RestClient, edge: dict[str, Any]) -> None:
    shared = acme.post("ontology/edges", edge).json()

    again = acme.post("ontology/edges?user=bob", edge)

    assert (again.status_code, again.json()["id"]) == (200, shared["id"])


def test_in_bulk_as_well(acme: RestClient, edge: dict[str, Any]) -> None:
    lines = "\n".join(json.dumps(one) for one in (edge, {**edge, "type": "visits"}))

    answer = acme.raw("POST", "ontology/edges/bulk?user=bob", lines, content_type="application/x-ndjson").json()

    assert [one["status"] for one in answer["results"]] == ["created", "created"]


def test_a_text_that_says_the_same_is_learned(acme: RestClient, edge: dict[str, Any]) -> None:
    answer = acme.post("ontology/prompt?user=bob", {"text": "Ada works at Acme.", "intent": "update"})

    assert answer.status_code == 200, answer.content


def test_nodes_are_merged_that_both_have_such_edges(acme: RestClient, edge: dict[str, Any]) -> None:
    twin = acme.post("ontology/nodes", {"type": "person", "name": "Ada L."}).json()["id"]
    for user in ("alice", "bob"):
        assert acme.post(f"ontology/edges?user={user}", {**edge, "source": twin}).status_code == 201
    assert acme.post("ontology/edges", edge).status_code == 201
    assert acme.post("ontology/edges", {**edge, "source": twin}).status_code == 201

    merged = acme.post("ontology/merge", {"keep": edge["source"], "absorb": twin})

    assert merged.status_code in {200, 201}, merged.content
