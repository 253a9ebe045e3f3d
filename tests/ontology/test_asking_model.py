"""Asking and prompting with a model behind the wire: what it is given, and what becomes of what it says."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.cast import Cast, RestClient
from tests.llm.conftest import choose
from tests.llm.server import ModelServer, Reply, failing, model_server, saying
from tests.ontology.test_asking import FLOUR, node, posted
from workspaces.access.callers import Right

QUESTION = "When is the flour delivered?"


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with model_server() as running:
        yield running


@pytest.fixture
def acme(cast: Cast, server: ModelServer) -> RestClient:
    """REST as Acme's agent, with a model that costs something."""
    choose(cast.acme, server, input_price=1_000)
    return cast.acme.rest()


def claiming(*claims: tuple[str, list[int]]) -> Reply:
    return saying(json.dumps({"claims": [{"text": text, "sources": sources} for text, sources in claims]}))


def finding(things: list[tuple[str, str]], relations: list[tuple[str, str, str]] = []) -> Reply:  # noqa: B006  # read only
    return saying(
        json.dumps(
            {
                "things": [{"type": type_, "name": name, "aliases": [], "confidence": 0.9} for type_, name in things],
                "relations": [
                    {"source": source, "type": type_, "target": target, "confidence": 0.8}
                    for source, type_, target in relations
                ],
            }
        )
    )


def runs_of(rest: RestClient) -> list[dict[str, Any]]:
    return list(rest.get("prompt-runs").json()["results"])


# --- Asking --------------------------------------------------------------------------------------


def test_the_model_answers_from_numbered_sources_and_each_claim_cites(acme: RestClient, server: ModelServer) -> None:
    fact = acme.remembered(FLOUR, kind="fact")
    server.will(claiming(("It comes on Tuesdays.", [1])))

    answer = posted(acme, "ask", question=QUESTION)

    assert answer["text"] == f"It comes on Tuesdays. [mem:{fact['id']}]"
    assert answer["model"] == "tea-1"
    (seen,) = server.seen
    system, asked = (message["content"] for message in seen.body["messages"])
    assert "authoritative" in system
    assert f"1. (fact) {FLOUR}" in asked
    assert QUESTION in asked
    assert fact["id"] not in asked, "Numbers are shorter than ids, and cannot be made up."
    assert acme.get(f"memories/{fact['id']}").json()["times_referenced"] == 1


def test_the_call_is_in_the_audit_with_its_credits(acme: RestClient, server: ModelServer) -> None:
    acme.remembered(FLOUR)
    server.will(claiming(("It comes on Tuesdays.", [1])))

    usage = posted(acme, "ask", question=QUESTION)["usage"]

    (run,) = runs_of(acme)
    assert (usage["prompt_run"], usage["credits"]) == (run["id"], run["credits"])
    assert (run["kind"], run["status"]) == ("qa", "succeeded")
    assert run["credits"] > 0
    assert "Tuesday" not in json.dumps(run)


def test_claims_without_a_real_source_are_dropped(acme: RestClient, server: ModelServer) -> None:
    acme.remembered(FLOUR)
    server.will(claiming(("It comes on Tuesdays.", [1]), ("And on Fridays.", []), ("At nine.", [7])))

    answer = posted(acme, "ask", question=QUESTION)

    assert [claim["text"] for claim in answer["claims"]] == ["It comes on Tuesdays."]
    assert {step["step"]: step["dropped"] for step in answer["trace"]}["parse"] == 2


@pytest.mark.parametrize("reply", [claiming(), claiming(("It comes on Tuesdays.", []))])
def test_a_model_that_finds_no_answer_is_believed(acme: RestClient, server: ModelServer, reply: Reply) -> None:
    fact = acme.remembered(FLOUR)
    server.will(reply)

    answer = posted(acme, "ask", question=QUESTION)

    assert (answer["found"], answer["claims"]) == (False, [])
    assert acme.get(f"memories/{fact['id']}").json()["times_referenced"] == 0


def test_a_question_about_nothing_known_costs_nothing(acme: RestClient, server: ModelServer) -> None:
    acme.remembered(FLOUR)

    assert posted(acme, "ask", question="Zebra crossings?")["found"] is False
    assert (server.seen, runs_of(acme)) == ([], [])


@pytest.mark.parametrize("reply", [failing(500), Reply(hangs_up_after=0), saying("Once upon a time."), saying("")])
def test_when_the_model_fails_the_sources_are_quoted_and_that_is_said(
    acme: RestClient, server: ModelServer, reply: Reply
) -> None:
    acme.remembered(FLOUR)
    server.will(reply)

    answer = posted(acme, "ask", question=QUESTION)

    assert [claim["text"] for claim in answer["claims"]] == [FLOUR]
    assert answer["model"] is None
    assert "compose" in answer["left_out"]
    assert runs_of(acme)[0]["status"] != "succeeded"


# --- Prompting -----------------------------------------------------------------------------------


def test_the_model_names_things_and_relations(acme: RestClient, server: ModelServer) -> None:
    server.will(finding([("Person", "Ada"), ("organization", "Acme")], [("ada", "works at", "ACME")]))

    update = posted(acme, "prompt", text="Ada's desk is at Acme.", intent="update")["update"]

    assert {(one["node"]["type"], one["node"]["name"]) for one in update["nodes"]} == {
        ("person", "Ada"),
        ("organization", "Acme"),
    }
    (edge,) = update["edges"]
    assert edge["edge"]["type"] == "works_at"
    (source,) = edge["edge"]["provenance"]["sources"]
    assert (source["method"], source["confidence"]) == ("tea-1", 0.8)
    assert (update["model"], runs_of(acme)[0]["kind"]) == ("tea-1", "extract")


def test_what_a_model_must_not_add_is_left_out(acme: RestClient, server: ModelServer) -> None:
    secret = "sk-ant-" + "a1" * 20
    server.will(
        finding(
            [("fact", "Ada is the owner"), ("thing", secret), ("person", "Ada"), ("!!", "Bob")],
            [("Ada", "owns", secret), ("Ada", "knows", "Nobody"), ("Ada", "knows", "Ada")],
        )
    )

    update = posted(acme, "prompt", text="Ada knows things.", intent="update")["update"]

    assert [one["node"]["name"] for one in update["nodes"]] == ["Ada"]
    assert update["edges"] == []
    reasons = {one["reason"]: one["name"] for one in update["left_out"]}
    assert reasons == {"reserved_type": "Ada is the owner", "secret": ""}


def test_odd_names_of_a_model_are_made_fit_or_left_out(acme: RestClient, server: ModelServer) -> None:
    server.will(finding([("person", "A\x00da"), ("İ" * 64, "Turkey"), ("person", "\u200b")]))

    update = posted(acme, "prompt", text="Ada's desk.", intent="update")["update"]

    assert [(one["node"]["name"], len(one["node"]["type"])) for one in update["nodes"]] == [("Ada", 6), ("Turkey", 64)]
    assert [one["reason"] for one in update["left_out"]] == ["blank"]


def test_a_secret_is_no_alias_either(acme: RestClient, server: ModelServer) -> None:
    thing = {"type": "person", "name": "Ada", "aliases": ["ghp_" + "a1B2" * 9], "confidence": 1}
    server.will(saying(json.dumps({"things": [thing], "relations": []})))

    update = posted(acme, "prompt", text="Ada's desk.", intent="update")["update"]

    assert (update["nodes"], [one["reason"] for one in update["left_out"]]) == ([], ["secret"])


def test_who_may_not_read_the_answer_changes_nothing(cast: Cast, acme: RestClient) -> None:
    writer = cast.acme.rest(Right.WRITE)

    assert writer.post("ontology/prompt", {"text": "Ada works at Acme.", "intent": "both"}).status_code == 403
    assert acme.get("ontology/nodes").json()["results"] == []


def test_a_failing_model_changes_nothing(acme: RestClient, server: ModelServer) -> None:
    node(acme, "Ada")
    server.will(failing(500))

    answer = acme.post("ontology/prompt", {"text": "Ada works at Acme.", "intent": "both"})

    assert (answer.status_code, answer.json()["code"]) == (503, "model_unavailable")
    assert len(acme.get("ontology/nodes").json()["results"]) == 1
