"""Thousands of nodes and edges from JSON Lines: every line has its own result, and keeps no other one out."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ontology.nodes_and_edges.api import BulkNodesView
from tests.cast import Answer, RestClient
from tests.ontology.conftest import Ontology

LINES = "application/x-ndjson"


def send(client: RestClient, what: str, lines: list[Any], content_type: str = LINES) -> Answer:
    body = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    return client.raw("POST", f"ontology/{what}/bulk", body, content_type=content_type)


def told(answer: Answer) -> list[tuple[int, str, str | None]]:
    return [(line["line"], line["status"], line.get("code")) for line in answer.json()["results"]]


def test_thousands_of_nodes_and_edges_in_one_request_each(ontology: Ontology, acme: RestClient) -> None:
    nodes = send(acme, "nodes", [{"type": "person", "name": f"Person {number}"} for number in range(3_000)])
    assert (nodes.status_code, nodes.json()["created"], nodes.json()["refused"]) == (200, 3_000, 0)
    ids = [line["id"] for line in nodes.json()["results"]]

    ring = [{"type": "knows", "source": ids[n], "target": ids[n - 1]} for n in range(3_000)]
    assert send(acme, "edges", ring).json()["created"] == 3_000

    again = send(acme, "edges", ring).json()
    assert (again["created"], again["existing"]) == (0, 3_000)
    assert acme.get("ontology/types").json()["results"][1]["count"] == 3_000
    assert ontology.listed("nodes", name="Person 7") == [ids[7]]


def test_each_line_has_its_own_result(ontology: Ontology, acme: RestClient) -> None:
    answer = send(
        acme,
        "nodes",
        [
            {"type": "person", "name": "Ada"},
            "",
            "{not json",
            {"type": "person"},
            {"type": "fact", "name": "x"},
            {"type": "person", "name": "Bob", "properties": {"password": "hunter2!x"}},
            {"type": "person", "name": "Eve", "properties": {"text": "x" * 16_001}},
            {"type": "person", "name": "Dan", "connection": "01a2009e-0000-7000-8000-000000000000"},
            {"type": "person", "name": "Zoe", "workspace_id": "mine"},
            [1],
            {"type": "person", "name": "Grace"},
        ],
    )

    assert told(answer) == [
        (1, "created", None),
        (3, "refused", "malformed_json"),
        (4, "refused", "invalid"),
        (5, "refused", "governed_type"),
        (6, "refused", "secret_refused"),
        (7, "refused", "content_too_large"),
        (8, "refused", "not_found"),
        (9, "refused", "unknown_field"),
        (10, "refused", "invalid"),
        (11, "created", None),
    ]
    assert (answer.json()["created"], answer.json()["refused"]) == (2, 8)
    assert len(ontology.listed("nodes")) == 2


def test_an_edge_twice_in_a_request_and_ends_of_others(
    ontology: Ontology, acme: RestClient, umbrella: RestClient
) -> None:
    ada, bob = ontology.node("Ada"), ontology.node("Bob")
    theirs = Ontology(umbrella).node("Eve")
    edge = {"type": "knows", "source": ada, "target": bob}

    answer = send(acme, "edges", [edge, {**edge, "properties": {"a": 1}}, {**edge, "target": theirs}])

    assert told(answer) == [(1, "created", None), (2, "existing", None), (3, "refused", "not_found")]
    assert answer.json()["results"][0]["id"] == answer.json()["results"][1]["id"]


@pytest.mark.parametrize("content_type", [LINES, "application/jsonl", "application/json"])
def test_json_lines_have_many_names(acme: RestClient, content_type: str) -> None:
    lines = [{"type": "person", "name": "Ada"}, {"type": "person", "name": "Bob"}]

    assert send(acme, "nodes", lines, content_type).json()["created"] == 2


def test_too_many_lines_are_refused_as_a_whole(acme: RestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BulkNodesView, "most_lines", 2)

    answer = send(acme, "nodes", [{"type": "person", "name": "Ada"}] * 3)

    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


@pytest.mark.parametrize("door", ["ontology/nodes/bulk", "ontology/edges/bulk", "import/items", "import"])
@pytest.mark.parametrize("body", ["", "\n \n"])
def test_a_body_without_a_line_is_refused(acme: RestClient, door: str, body: str) -> None:
    answer = acme.raw("POST", door, body, content_type=LINES)

    assert (answer.status_code, answer.json()["code"]) == (400, "malformed_json")
    assert answer.json()["detail"] == "There is no line: send a JSON object in each."
