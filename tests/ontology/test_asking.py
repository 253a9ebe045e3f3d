"""`ontology/search`, `ontology/ask` and `ontology/prompt` through REST, without a model."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest

from tests.cast import Cast, RestClient
from tests.markers import columns_containing
from workspaces.access.callers import Right

TEXT = "Ada Lovelace works at Acme. She lives in Oslo and uses Redis."
FLOUR = "Flour is delivered on Tuesdays."


def node(rest: RestClient, name: str, type_: str = "person", **properties: Any) -> dict[str, Any]:
    answer = rest.post("ontology/nodes", {"type": type_, "name": name, "properties": properties})
    assert answer.status_code == 201, answer.content
    return dict(answer.json())


def edge(rest: RestClient, type_: str, source: dict[str, Any], target: dict[str, Any]) -> dict[str, Any]:
    answer = rest.post("ontology/edges", {"type": type_, "source": source["id"], "target": target["id"]})
    assert answer.status_code == 201, answer.content
    return dict(answer.json())


def posted(rest: RestClient, path: str, **body: Any) -> dict[str, Any]:
    answer = rest.post(f"ontology/{path}", body)
    assert answer.status_code == 200, answer.content
    return dict(answer.json())


def references(rest: RestClient, node_id: str) -> int:
    return int(rest.get(f"ontology/nodes/{node_id}").json()["reference_count"])


def named(update: dict[str, Any], outcome: str) -> set[tuple[str, str]]:
    return {(one["node"]["type"], one["node"]["name"]) for one in update["nodes"] if one["outcome"] == outcome}


# --- Searching -----------------------------------------------------------------------------------


def test_a_hit_says_which_arm_found_it_and_what_its_score_is_made_of(acme: RestClient) -> None:
    ada = node(acme, "Ada Lovelace", role="mathematician")
    node(acme, "Charles Babbage")

    found = posted(acme, "search", query="Which mathematician?", top_k=5)

    (hit,) = found["results"]
    assert hit["node"]["id"] == ada["id"]
    assert hit["arms"]["keyword"]["rank"] == 1
    assert 0 < hit["score"] <= hit["relevance"] <= 1
    assert found["latency_ms"] > 0


def test_a_search_is_narrowed_by_type_property_and_time(acme: RestClient) -> None:
    ada = node(acme, "Ada", city="Oslo")
    ship = node(acme, "Ada", "ship", city="Bergen")

    def ids(**filters: Any) -> list[str]:
        return [hit["node"]["id"] for hit in posted(acme, "search", query="Ada", filters=filters)["results"]]

    assert sorted(ids()) == sorted([ada["id"], ship["id"]])
    assert ids(types=["ship"]) == [ship["id"]]
    assert ids(properties={"city": "Oslo"}) == [ada["id"]]
    assert ids(created_after="2100-01-01T00:00:00Z") == []
    assert ids(as_of="2020-01-01T00:00:00Z") == []


def test_what_is_cited_rises_among_equals_and_never_over_what_fits_better(acme: RestClient) -> None:
    node(acme, "Ada of Oslo")
    second = node(acme, "Ada of Oslo", "ship")
    node(acme, "Ada")
    run = acme.post("runs", {"agent": "clerk"}).json()
    acme.post(f"runs/{run['id']}/finish", {"status": "succeeded", "output": f"[node:{second['id']}]"})

    hits = posted(acme, "search", query="Ada of Oslo", mode="keyword")["results"]

    assert hits[0]["node"]["id"] == second["id"]
    assert hits[0]["importance"] > hits[1]["importance"]
    assert posted(acme, "search", query="zebra", mode="keyword")["results"] == []


def test_a_run_counts_each_node_that_it_cites_once(acme: RestClient, umbrella: RestClient) -> None:
    ada, gone, foreign = node(acme, "Ada"), node(acme, "Vega", "ship"), node(umbrella, "Eve")
    acme.delete(f"ontology/nodes/{gone['id']}")
    run = acme.post("runs", {"agent": "clerk"}).json()
    marks = [f"[node:{one['id']}]" for one in (ada, ada, gone, foreign)]
    body = {"status": "succeeded", "output": f"{' '.join(marks)} [mem:{ada['id']}]"}

    first = acme.post(f"runs/{run['id']}/finish", body).json()
    again = acme.post(f"runs/{run['id']}/finish", body).json()

    assert first["nodes"] == [{"node_id": ada["id"], "counted": True}]
    assert again["nodes"] == [{"node_id": ada["id"], "counted": False}]
    assert first["unresolved"] == again["unresolved"] == [gone["id"], foreign["id"]]
    assert (references(acme, ada["id"]), references(umbrella, foreign["id"])) == (1, 0)


def test_deleted_nodes_are_not_found(acme: RestClient) -> None:
    ada = node(acme, "Ada")
    acme.delete(f"ontology/nodes/{ada['id']}")
    assert posted(acme, "search", query="Ada")["results"] == []


# --- Asking --------------------------------------------------------------------------------------


def test_every_claim_cites_a_node_and_each_is_counted_once(acme: RestClient) -> None:
    fact = acme.remembered(FLOUR, kind="fact")

    answer = posted(acme, "ask", question="When is the flour delivered?")

    assert answer["text"] == f"{FLOUR} [mem:{fact['id']}]"
    assert answer["found"] is True
    (claim,) = answer["claims"]
    assert claim == {"text": FLOUR, "citations": [{"node_id": fact["id"], "mark": f"[mem:{fact['id']}]"}]}
    assert [cited["node_id"] for cited in answer["citations"]] == [fact["id"]]
    assert (answer["model"], answer["usage"]) == (None, None)
    assert acme.get(f"memories/{fact['id']}").json()["times_referenced"] == 1


def test_an_edge_is_told_and_cites_both_of_its_ends(acme: RestClient) -> None:
    ada, works = node(acme, "Ada Lovelace"), node(acme, "Acme Mills", "organization")
    edge(acme, "works_at", ada, works)

    answer = posted(acme, "ask", question="Where does Ada work?")

    assert answer["claims"][0]["text"] == "Ada Lovelace works at Acme Mills"
    assert {cited["node_id"] for cited in answer["claims"][0]["citations"]} == {ada["id"], works["id"]}
    assert (references(acme, ada["id"]), references(acme, works["id"])) == (1, 1)


def test_an_edge_to_what_may_not_be_recalled_is_not_told(acme: RestClient) -> None:
    ada, works = node(acme, "Ada Lovelace"), node(acme, "Acme Mills", "organization")
    edge(acme, "works_at", ada, works)
    acme.delete(f"ontology/nodes/{works['id']}")

    assert "Mills" not in posted(acme, "ask", question="Where does Ada work?")["text"]


def test_nothing_found_says_so_and_counts_nothing(acme: RestClient) -> None:
    fact = acme.remembered(FLOUR, kind="fact")

    answer = posted(acme, "ask", question="Zebra crossings?")

    assert answer["text"] == "Nothing in this workspace bears on that."
    assert (answer["found"], answer["claims"], answer["citations"]) == (False, [], [])
    assert acme.get(f"memories/{fact['id']}").json()["times_referenced"] == 0


def test_suppressed_memories_are_in_no_answer(acme: RestClient) -> None:
    fact = acme.remembered(FLOUR, kind="fact")
    acme.post(f"memories/{fact['id']}/suppress")

    assert posted(acme, "ask", question="When is the flour delivered?")["found"] is False


def test_the_trace_has_the_milliseconds_of_each_step(acme: RestClient) -> None:
    acme.remembered(FLOUR)

    trace = posted(acme, "ask", query="When is the flour delivered?")["trace"]

    assert [step["step"] for step in trace] == ["embed", "retrieve", "compose", "parse", "count"]
    assert all(step["ms"] >= 0 for step in trace)
    assert [step["found"] for step in trace[1:]] == [1, 1, 1, 1]


@pytest.mark.parametrize(
    "body", [{}, {"question": ""}, {"question": "a", "query": "b"}, {"question": "a", "top_k": 51}]
)
def test_refuses_what_is_no_question(acme: RestClient, body: dict[str, Any]) -> None:
    assert acme.post("ontology/ask", body).status_code == 422


@pytest.mark.parametrize(("path", "names"), [("ask", ("question", "query")), ("prompt", ("text", "prompt"))])
def test_a_question_has_one_of_two_names(acme: RestClient, path: str, names: tuple[str, str]) -> None:
    said = f"Give it, as `{names[0]}` or as `{names[1]}`."

    for body in ({}, dict.fromkeys(names, "When is tea ordered?")):
        problems = acme.post(f"ontology/{path}", body).json()["errors"]
        assert problems == [{"field": names[0], "code": "required", "detail": said}]


def test_the_outsider_gets_no_word_of_it(acme: RestClient, umbrella: RestClient) -> None:
    acme.remembered(FLOUR)
    posted(acme, "prompt", text=TEXT, intent="update")

    assert posted(umbrella, "ask", question="When is the flour delivered?")["found"] is False
    assert posted(umbrella, "search", query="Ada Lovelace Acme Oslo flour")["results"] == []
    for path in ("ask", "search", "prompt"):
        body = {"query": "Ada"} if path != "prompt" else {"text": "Ada"}
        stranger = RestClient(acme.workspace_id, umbrella.secret)
        assert stranger.post(f"ontology/{path}", body).status_code == 404


# --- Prompting -----------------------------------------------------------------------------------


def test_a_text_becomes_typed_nodes_and_edges(acme: RestClient) -> None:
    update = posted(acme, "prompt", text=TEXT, intent="update")["update"]

    assert named(update, "added") == {
        ("person", "Ada Lovelace"),
        ("organization", "Acme"),
        ("place", "Oslo"),
        ("thing", "Redis"),
    }
    names = {one["node"]["id"]: one["node"]["name"] for one in update["nodes"]}
    told = {(names[o["edge"]["source"]], o["edge"]["type"], names[o["edge"]["target"]]) for o in update["edges"]}
    assert told == {
        ("Ada Lovelace", "works_at", "Acme"),
        ("Ada Lovelace", "lives_in", "Oslo"),
        ("Ada Lovelace", "uses", "Redis"),
    }


def test_where_it_comes_from_is_kept_and_the_text_is_not(acme: RestClient) -> None:
    text = f"Hush hush zanzibarium. {TEXT}"
    message = "01900000-0000-7000-8000-000000000001"

    update = posted(acme, "prompt", text=text, intent="update", message_id=message)["update"]

    provenance = update["nodes"][0]["node"]["provenance"]
    (source,) = provenance["sources"]
    assert (source["text_hash"], source["message_id"]) == (update["text_hash"], message)
    assert (source["by"], source["by_kind"], source["method"]) == ("Acme agent", "api_key", "rules")
    assert 0 < source["confidence"] < 1
    assert update["text_hash"] != hashlib.sha256(text.encode()).hexdigest(), "It tells nothing across workspaces."
    assert columns_containing("zanzibarium") == []
    assert columns_containing("She lives in") == []


def test_the_same_text_again_changes_nothing(acme: RestClient) -> None:
    first = posted(acme, "prompt", text=TEXT, intent="update")["update"]
    again = posted(acme, "prompt", text=TEXT, intent="update")["update"]

    assert named(again, "added") == set()
    assert named(again, "known") == named(first, "added")
    assert {one["outcome"] for one in again["edges"]} == {"known"}
    assert again["nodes"][0]["node"]["provenance"] == first["nodes"][0]["node"]["provenance"]


def test_another_text_makes_what_is_known_surer(acme: RestClient) -> None:
    posted(acme, "prompt", text="Ada lives in Oslo.", intent="update")

    update = posted(acme, "prompt", text="Ada still lives in Oslo!", intent="update")["update"]

    assert {one["confidence"] for one in [*update["nodes"], *update["edges"]]} == {0.84}
    assert len(update["edges"][0]["edge"]["provenance"]["sources"]) == 2


def test_what_exists_is_used_whatever_type_the_rules_would_have_given_it(acme: RestClient) -> None:
    works = node(acme, "ACME", "company")

    update = posted(acme, "prompt", text="Ada works at Acme.", intent="update")["update"]

    assert [one["node"]["id"] for one in update["nodes"] if one["outcome"] == "known"] == [works["id"]]
    assert update["edges"][0]["edge"]["target"] == works["id"]


def test_what_somebody_deleted_does_not_come_back(acme: RestClient) -> None:
    oslo = node(acme, "Oslo", "place")
    acme.delete(f"ontology/nodes/{oslo['id']}")

    update = posted(acme, "prompt", text="Ada lives in Oslo.", intent="update")["update"]

    assert update["left_out"] == [{"name": "Oslo", "reason": "deleted_before"}]
    assert (named(update, "added"), update["edges"]) == ({("person", "Ada")}, [])


def test_a_text_with_a_credential_is_refused(acme: RestClient) -> None:
    answer = acme.post("ontology/prompt", {"text": "Ada's password is hunter2secret99.", "intent": "update"})

    assert (answer.status_code, answer.json()["code"]) == (422, "secret_refused")
    assert acme.get("ontology/nodes").json()["results"] == []


def test_both_learns_first_and_then_answers(acme: RestClient) -> None:
    prompted = posted(acme, "prompt", prompt="Ada Lovelace works at Acme.", intent="both")

    assert prompted["answer"]["claims"][0]["text"] == "Ada Lovelace works at Acme"
    steps = [step["step"] for step in prompted["trace"]]
    assert steps == ["extract", "keep", "embed", "retrieve", "compose", "parse", "count"]


def test_a_query_changes_nothing_but_what_it_cites(cast: Cast, acme: RestClient) -> None:
    reader = cast.acme.rest(Right.READ)

    assert posted(reader, "prompt", text=TEXT, intent="query")["update"] is None
    assert acme.get("ontology/nodes").json()["results"] == []
    assert reader.post("ontology/prompt", {"text": TEXT, "intent": "update"}).status_code == 403
    assert reader.post("ontology/prompt", {"text": TEXT}).status_code == 403
