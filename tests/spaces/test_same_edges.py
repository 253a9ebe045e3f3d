"""Two users connect the same shared nodes by the same type: the second one is refused, and neither waits for ever."""

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


def test_an_edge_of_another_space_is_in_the_way(acme: RestClient, edge: dict[str, Any]) -> None:
    answer = acme.post("ontology/edges?user=bob", edge)

    assert (answer.status_code, answer.json()["code"]) == (409, "duplicate_edge")
    assert acme.post("ontology/edges?user=alice", edge).status_code == 200


def test_in_bulk_only_its_line_is_refused(acme: RestClient, edge: dict[str, Any]) -> None:
    lines = "\n".join(json.dumps(one) for one in (edge, {**edge, "type": "visits"}))

    answer = acme.raw("POST", "ontology/edges/bulk?user=bob", lines, content_type="application/x-ndjson").json()

    found = [(one["status"], one.get("code")) for one in answer["results"]]
    assert found == [("refused", "duplicate_edge"), ("created", None)]


def test_a_text_that_says_the_same_is_learned_without_it(acme: RestClient, edge: dict[str, Any]) -> None:
    answer = acme.post("ontology/prompt?user=bob", {"text": "Ada works at Acme.", "intent": "update"})

    assert answer.status_code == 200, answer.content
