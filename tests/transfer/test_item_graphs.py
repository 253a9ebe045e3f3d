"""Graphs of other products: nodes by their keys, edges between them, once, and each in its space."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.cast import Answer, Cast, RestClient
from workspaces.access.callers import Right
from workspaces.keys.services import create_key


def node(key: str, **fields: Any) -> dict[str, Any]:
    return {"item": "node", "key": key, "type": "person", "name": key.title(), **fields}


def edge(source: str, target: str, **fields: Any) -> dict[str, Any]:
    return {"item": "edge", "type": "knows", "source": source, "target": target, **fields}


GRAPH = [node("ada", properties={"role": "engineer"}), node("bob"), edge("ada", "bob", properties={"since": 2020})]


def taken(client: RestClient, *items: Any, query: str = "") -> Answer:
    lines = "\n".join(map(json.dumps, items))
    return client.raw("POST", f"import/items{query}", lines, content_type="application/x-ndjson")


def counts(answer: Answer) -> tuple[int, int, int]:
    body = answer.json()
    return body["created"], body["existing"], body["refused"]


def test_a_graph_comes_in_once(acme: RestClient) -> None:
    ids = [one["id"] for one in taken(acme, *GRAPH).json()["results"]]

    assert counts(taken(acme, *GRAPH, node("ada", properties={"role": "engineer"}))) == (0, 4, 0)
    assert [one["id"] for one in taken(acme, *GRAPH).json()["results"]] == ids
    found = acme.get(f"ontology/nodes/{ids[0]}").json()
    assert (found["type"], found["name"], found["properties"]) == ("person", "Ada", {"role": "engineer"})
    related = acme.get(f"ontology/edges/{ids[2]}").json()
    assert (related["source"], related["target"], related["properties"]) == (ids[0], ids[1], {"since": 2020})


def test_edges_find_nodes_of_earlier_requests_and_of_the_same(acme: RestClient) -> None:
    taken(acme, node("ada"))

    assert counts(taken(acme, node("bob"), edge("ada", "bob"), edge("bob", "ada"))) == (3, 0, 0)


def test_an_edge_without_its_nodes_is_refused_alone(acme: RestClient) -> None:
    answer = taken(acme, node("ada"), edge("ada", "ghost"), edge("ada", "ada"))

    assert counts(answer) == (2, 0, 1)
    assert answer.json()["results"][1] == {
        "line": 2,
        "status": "refused",
        "code": "not_found",
        "detail": "No node came in, and none is there, with the key that it names as source or target.",
    }


def test_lines_may_come_in_any_order_and_nodes_are_looked_for_once(acme: RestClient) -> None:
    memories = [{"item": "memory", "content": f"Tea number {number} is green."} for number in range(4)]
    lines = [edge("ada", "bob"), node("ada"), memories[0], node("bob"), memories[1], node("ada", name="Not Ada")]
    with CaptureQueriesContext(connection) as queries:
        answer = taken(acme, *lines, memories[2], node("cid"), memories[3])

    results = answer.json()["results"]
    assert [one["line"] for one in results] == list(range(1, 10))
    assert [one["status"] for one in results] == [*["created"] * 5, "refused", *["created"] * 3]
    assert results[5]["code"] == "differs_here"
    looked = [each for each in queries.captured_queries if "import_key" in each["sql"] and "SELECT" in each["sql"]]
    assert len(looked) == 2  # for nodes, and for the ends of edges


def test_a_node_that_says_something_else_stays_as_it_is(acme: RestClient) -> None:
    taken(acme, *GRAPH)

    (result,) = taken(acme, node("ada", properties={"role": "boss"})).json()["results"]

    assert (result["status"], result["code"]) == ("refused", "differs_here")
    assert {one["properties"].get("role") for one in acme.get("ontology/nodes?name=Ada").json()["results"]} == {
        "engineer"
    }


def test_what_was_deleted_does_not_come_back(acme: RestClient) -> None:
    ids = [one["id"] for one in taken(acme, *GRAPH).json()["results"]]
    acme.delete(f"ontology/edges/{ids[2]}")
    acme.delete(f"ontology/nodes/{ids[1]}")

    answer = taken(acme, *GRAPH)

    assert counts(answer) == (0, 1, 2)
    assert {one.get("code") for one in answer.json()["results"]} == {None, "forgotten_before"}


def test_a_dry_run_keeps_no_node(acme: RestClient) -> None:
    assert counts(taken(acme, *GRAPH, query="?dry_run=true")) == (3, 0, 0)
    assert acme.get("ontology/nodes").json()["results"] == []
    assert counts(taken(acme, *GRAPH)) == (3, 0, 0)


@pytest.mark.parametrize(
    ("bad", "code"),
    [
        (node(""), "invalid"),
        (node("x" * 201), "invalid"),
        (node("eve", type="memory"), "governed_type"),
        (node("eve", name=" "), "invalid"),
        (node("eve", properties=7), "invalid"),
        (node("eve", properties={"note": "x" * 16_001}), "content_too_large"),
        (node("eve", properties={"key": "sk-ant-api03-" + "a1B2" * 24}), "secret_refused"),
        (node("eve", surprise=1), "unknown_field"),
        (edge("ada", ""), "invalid"),
        (edge("ada", "ada", properties={"note": "x" * 16_001}), "content_too_large"),
    ],
)
def test_a_line_that_is_refused_keeps_no_other_one_out(acme: RestClient, bad: Any, code: str) -> None:
    answer = taken(acme, node("ada"), bad, node("bob"))

    assert counts(answer) == (2, 0, 1), answer.json()
    assert answer.json()["results"][1]["code"] == code


def test_charlie_and_other_users_see_nothing(acme: RestClient, umbrella: RestClient) -> None:
    ids = [one["id"] for one in taken(acme, *GRAPH, query="?user=alice").json()["results"]]

    assert umbrella.get(f"ontology/nodes/{ids[0]}").status_code == 404
    assert acme.get(f"ontology/nodes/{ids[0]}?user=bob").status_code == 404
    assert acme.get(f"ontology/nodes/{ids[0]}?user=alice").status_code == 200
    # A key of another workspace, or of another user's space, names nothing here.
    assert counts(taken(umbrella, edge("ada", "bob"))) == (0, 0, 1)
    assert counts(taken(acme, edge("ada", "bob"), query="?user=bob")) == (0, 0, 1)
    assert {one["id"] for one in taken(umbrella, *GRAPH).json()["results"]}.isdisjoint(ids)


def test_an_import_is_named_where_its_words_are_shown(acme: RestClient) -> None:
    taken(acme, *GRAPH)

    (ada,) = acme.get("ontology/nodes?name=Ada").json()["results"]

    assert ada["provenance"]["is_imported"] is True
    assert ada["provenance"]["source"] == "agent"
    context = acme.post("context", {"query": "Which role has Ada, the engineer?", "token_budget": 500}).json()
    assert "(import" in context["text"]


def test_what_an_agent_brought_in_is_undone_with_what_it_wrote(cast: Cast, acme: RestClient) -> None:
    before = datetime.now(UTC) - timedelta(minutes=1)
    clerk = RestClient(
        cast.acme.workspace.id,
        create_key(caller=cast.acme.caller, name="clerk", scopes=[Right.READ, Right.WRITE]).secret,
    )
    taken(clerk, *GRAPH)

    preview = acme.post("undo?dry_run=true", {"agent": "clerk", "since": before.isoformat()})

    # The edge goes with its ends.
    assert preview.json()["counts"]["node"]["removed"] == 2


def test_it_needs_write(cast: Cast) -> None:
    assert taken(cast.acme.rest(Right.READ), *GRAPH).json()["code"] == "missing_scope"
