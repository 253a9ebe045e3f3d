"""Receipts of every agent over REST: lists, what followed, kept texts, and running one again."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from core.clock import utc_now
from memory.models import ContextReceipt, RunCitation
from memory.recall.tasks import expire_receipts
from tests.cast import Cast, RestClient
from workspaces.access.callers import Right
from workspaces.access.scope import workspace_scope

QUESTION = "Who delivers the flour, and when?"


@pytest.fixture
def flour(acme: RestClient) -> dict[str, Any]:
    acme.remembered("The lighthouse tour starts at noon.")
    return acme.remembered("Flour is delivered by the northern mill on Tuesdays.")


def _context(rest: RestClient, **fields: Any) -> dict[str, Any]:
    answer = rest.post("context", {"query": QUESTION, **fields})
    assert answer.status_code == 200, answer.content
    return dict(answer.json())


def _run(rest: RestClient, conversation: str, status: str, output: str = "") -> str:
    run = rest.post("runs", {"agent": "clerk", "conversation": conversation}).json()["id"]
    rest.post(f"runs/{run}/finish", {"status": status, "output": output})
    return str(run)


def test_a_list_says_who_asked_and_how_it_ended(acme: RestClient, flour: dict[str, Any]) -> None:
    first = _context(acme, conversation="c-1")["receipt_id"]
    failed = _run(acme, "c-1", "failed")
    second = _context(acme)["receipt_id"]

    rows = acme.get("receipts").json()["results"]

    assert [row["id"] for row in rows] == [second, first]
    assert rows[0]["run"] is None
    assert (rows[1]["run"]["id"], rows[1]["run"]["status"]) == (failed, "failed")
    assert rows[1]["agent_kind"] == "api_key"
    assert rows[1]["items"] >= 1
    assert rows[1]["tokens_used"] <= rows[1]["token_budget"]
    assert acme.get(f"receipts/{first}").json()["run"]["id"] == failed


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({"conversation": "c-1"}, ["one"]),
        ({"memory": "flour"}, ["two", "one"]),
        ({"memory": str(uuid4())}, []),
        ({"agent": "narrow"}, ["two"]),
        ({"agent": "nothing of that name"}, []),
        ({"conversation": "c-1", "agent": "narrow"}, []),
    ],
)
def test_lists_are_narrowed(
    cast: Cast, acme: RestClient, flour: dict[str, Any], query: dict[str, str], found: list[str]
) -> None:
    ids = {
        _context(acme, conversation="c-1")["receipt_id"]: "one",
        _context(cast.acme.rest(Right.READ))["receipt_id"]: "two",
    }
    if query.get("memory") == "flour":
        query = {"memory": flour["id"]}

    answer = acme.get("receipts", **query)

    assert answer.status_code == 200, answer.content
    assert [ids[row["id"]] for row in answer.json()["results"]] == found


def test_a_conversation_is_found_by_its_key_and_its_id(acme: RestClient, flour: dict[str, Any]) -> None:
    conversation = acme.post("conversations/c-1/messages", {"role": "user", "content": "Hello."}).json()
    identity = acme.get("conversations/c-1").json()["id"]
    by_key, by_id = _context(acme, conversation="c-1"), _context(acme, conversation=identity)

    assert conversation
    for address in ("c-1", identity):
        rows = acme.get("receipts", conversation=address).json()["results"]
        assert {row["id"] for row in rows} == {by_key["receipt_id"], by_id["receipt_id"]}
    run = _run(acme, identity, "succeeded")
    assert acme.get(f"receipts/{by_key['receipt_id']}").json()["run"]["id"] == run


def test_pages_of_a_list_have_cursors_and_a_fixed_number_of_queries(acme: RestClient, flour: dict[str, Any]) -> None:
    ids = [_context(acme, conversation=f"c-{n % 3}")["receipt_id"] for n in range(5)]
    with CaptureQueriesContext(connection) as few:
        page = acme.get("receipts", limit=2).json()
    with CaptureQueriesContext(connection) as many:
        rest = acme.get("receipts", limit=50).json()

    assert [row["id"] for row in page["results"]] == ids[:2:-1]
    assert page["next"]
    assert len(rest["results"]) == 5
    assert len(few) == len(many)


def test_question_and_text_are_kept_only_where_the_workspace_wants_it(acme: RestClient, flour: dict[str, Any]) -> None:
    before = _context(acme)
    acme.put("settings", {"memory": {"keep_contexts": True}})
    after = _context(acme)

    assert acme.get(f"receipts/{before['receipt_id']}").json()["text"] is None
    kept = acme.get(f"receipts/{after['receipt_id']}").json()
    assert (kept["question"], kept["text"]) == (QUESTION, after["text"])
    assert sum(block["tokens"] for block in kept["blocks"]) <= after["tokens_used"] + len(kept["blocks"])


@pytest.mark.parametrize(
    "fields", [{"query": "My password is hunter2secret99 and AKIAIOSFODNN7EXAMPLE"}, {"user": "42", "agent": "clerk"}]
)
def test_a_text_is_not_kept_that_would_outlive_its_space_or_holds_a_secret(
    acme: RestClient, flour: dict[str, Any], fields: dict[str, str]
) -> None:
    acme.put("settings", {"memory": {"keep_contexts": True}})
    receipt = _context(acme, **fields)["receipt_id"]
    named = {name: value for name, value in fields.items() if name != "query"}

    kept = acme.get(f"receipts/{receipt}", **named).json()

    assert (kept["question"], kept["text"]) == (None, None)


def test_deleting_a_conversation_deletes_what_contexts_kept_of_it(acme: RestClient) -> None:
    acme.put("settings", {"memory": {"keep_contexts": True}})
    said = "The northern mill delivers the flour on Tuesdays."
    acme.post("conversations/mill/messages", {"role": "user", "content": said})
    elsewhere, here = _context(acme)["receipt_id"], _context(acme, conversation="mill")["receipt_id"]
    assert said in acme.get(f"receipts/{elsewhere}").json()["text"]

    acme.delete("conversations/mill")

    for receipt in (elsewhere, here):
        kept = acme.get(f"receipts/{receipt}").json()
        assert (kept["question"], kept["text"]) == (None, None)


def test_receipts_go_when_retention_says(cast: Cast, acme: RestClient, flour: dict[str, Any]) -> None:
    old, new = _context(acme)["receipt_id"], _context(acme)["receipt_id"]
    with workspace_scope(cast.acme.caller):
        ContextReceipt.objects.filter(id=old).update(created_at=utc_now() - timedelta(days=31))

    assert expire_receipts(str(cast.acme.workspace.id)) == 0
    acme.put("settings", {"retention": {"receipts": 30}})
    assert expire_receipts(str(cast.acme.workspace.id)) == 1
    assert [acme.get(f"receipts/{each}").status_code for each in (old, new)] == [404, 200]


def test_a_context_is_run_again_without_one_memory(acme: RestClient, flour: dict[str, Any]) -> None:
    receipt = _context(acme)["receipt_id"]

    again = acme.post(f"receipts/{receipt}/rerun", {"query": QUESTION, "without": [flour["id"]]})

    assert again.status_code == 200, again.content
    answer = again.json()
    assert (answer["added"], answer["removed"]) == ([], [flour["id"]])
    assert flour["content"] not in answer["context"]["text"]
    assert answer["context"]["receipt_id"] is None


def test_running_again_leaves_nothing_behind(cast: Cast, acme: RestClient, flour: dict[str, Any]) -> None:
    receipt = _context(acme)["receipt_id"]
    for body in (
        {"query": QUESTION},
        {"query": "When is the tour?", "mode": "keyword"},
        {"query": QUESTION, "as_of": "2031-01-01T00:00:00Z"},
    ):
        assert acme.post(f"receipts/{receipt}/rerun", body).status_code == 200

    with workspace_scope(cast.acme.caller):
        assert ContextReceipt.objects.count() == 1
        assert RunCitation.objects.count() == 0
    assert acme.get(f"memories/{flour['id']}").json()["times_referenced"] == 0


def test_another_question_budget_and_time_change_it(acme: RestClient, flour: dict[str, Any]) -> None:
    fact = acme.remembered("The bakery opens at six.", kind="fact")
    receipt = _context(acme)["receipt_id"]

    def rerun(**body: Any) -> dict[str, Any]:
        return dict(acme.post(f"receipts/{receipt}/rerun", {"query": QUESTION, **body}).json())

    assert rerun()["kept"] == [item["id"] for item in acme.get(f"receipts/{receipt}").json()["chosen"]]
    assert flour["id"] in rerun(token_budget=1)["removed"]
    assert rerun(token_budget=1)["context"]["token_budget"] == 1
    assert set(rerun(as_of="2020-01-01T00:00:00Z")["removed"]) >= {flour["id"], fact["id"]}
    assert "semantic" not in rerun(mode="keyword")["context"]["left_out"]


def test_the_question_is_taken_from_where_it_is(acme: RestClient, flour: dict[str, Any]) -> None:
    unkept = _context(acme)["receipt_id"]
    refused = acme.post(f"receipts/{unkept}/rerun", {})
    assert (refused.status_code, refused.json()["errors"][0]["field"]) == (422, "query")

    acme.post("conversations/c-1/messages", {"role": "user", "content": QUESTION})
    said = _context(acme, conversation="c-1")["receipt_id"]
    assert acme.post(f"receipts/{said}/rerun", {}).status_code == 200


def test_receipts_stay_in_their_space_and_workspace(cast: Cast, acme: RestClient, umbrella: RestClient) -> None:
    hers = _context(acme, user="42")["receipt_id"]

    assert acme.get("receipts").json()["results"] == []
    assert [row["id"] for row in acme.get("receipts", user="42").json()["results"]] == [hers]
    assert acme.get("receipts", user="43").json()["results"] == []
    assert acme.get(f"receipts/{hers}").status_code == 404
    assert acme.post(f"receipts/{hers}/rerun", {"query": QUESTION}).status_code == 404
    assert acme.post(f"receipts/{hers}/rerun", {"query": QUESTION, "user": "42"}).status_code == 200
    assert umbrella.get("receipts", user="42").json()["results"] == []
    assert umbrella.post(f"receipts/{hers}/rerun", {"query": QUESTION, "user": "42"}).status_code == 404
    assert cast.acme.rest(Right.WRITE).get("receipts").status_code == 403
