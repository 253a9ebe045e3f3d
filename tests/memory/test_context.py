"""Assembled context: facts always, the best of the rest within the budget, and a receipt that holds no text."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.db import connection

from core.text.tokens import count_tokens
from tests.cast import RestClient

QUESTION = "Who delivers the flour, and when?"


@pytest.fixture
def told(acme: RestClient) -> dict[str, dict[str, Any]]:
    """A workspace that knows something about flour and about other things."""
    return {
        "fact": acme.remembered("Flour is delivered by the northern mill on Tuesdays.", kind="fact"),
        "hit": acme.remembered("The flour delivery needs a signature at the back door."),
        "other": acme.remembered("The lighthouse tour starts at noon."),
    }


def _block(context: dict[str, Any], name: str) -> dict[str, Any] | None:
    return next((block for block in context["blocks"] if block["name"] == name), None)


def test_holds_facts_and_what_the_query_finds(acme: RestClient, told: dict[str, dict[str, Any]]) -> None:
    context = acme.post("context", {"query": QUESTION, "token_budget": 500}).json()

    facts, memories = _block(context, "facts"), _block(context, "memories")
    assert facts is not None
    assert memories is not None
    assert [item["id"] for item in facts["items"]] == [told["fact"]["id"]]
    assert facts["items"][0]["reason"].startswith("authoritative, found by words")
    assert memories["items"][0]["id"] == told["hit"]["id"]
    assert f"[mem:{told['hit']['id']}]" in context["text"]
    assert context["tokens_used"] == count_tokens(context["text"]) <= context["token_budget"] == 500
    assert context["facts_over_budget"] is False


def test_facts_are_complete_even_over_the_budget(acme: RestClient, told: dict[str, dict[str, Any]]) -> None:
    context = acme.post("context", {"query": QUESTION, "token_budget": 5}).json()

    assert context["facts_over_budget"] is True
    assert [block["name"] for block in context["blocks"]] == ["facts"]
    assert {"id": told["hit"]["id"], "reason": "over_budget"} in context["dropped"]


@pytest.mark.parametrize("hide", ["suppress", "forget", "expire"])
def test_hidden_memories_and_facts_are_in_no_context(
    acme: RestClient, told: dict[str, dict[str, Any]], hide: str
) -> None:
    for name in ("fact", "hit"):
        address = f"memories/{told[name]['id']}"
        if hide == "suppress":
            acme.post(f"{address}/suppress")
        elif hide == "forget":
            acme.delete(address)
        else:
            acme.patch(address, {"expires_at": "2020-01-01T00:00:00Z"})

    context = acme.post("context", {"query": QUESTION}).json()

    assert told["fact"]["id"] not in str(context)
    assert told["hit"]["id"] not in str(context)


def test_earlier_episodes_come_back_word_for_word(acme: RestClient) -> None:
    old = [
        {"role": "user", "content": f"The mill has changed its day {n}.", "created_at": f"2020-01-0{n}T08:00:00Z"}
        for n in range(1, 5)
    ]
    acme.post("conversations/kitchen/messages", {"messages": old})
    acme.put("settings", {"memory": {"enabled": True}})
    done = acme.post("conversations/kitchen/consolidate", {"retain_last": 0, "max_age_days": 30})
    assert done.status_code == 200, done.content
    summary = done.json()["episodes"][0]["summary"]

    context = acme.post("context", {"query": QUESTION, "conversation": "kitchen"}).json()

    episodes = _block(context, "episodes")
    assert episodes is not None
    assert episodes["text"] == f"Earlier conversation summaries (most recent last):\n- (4 turns) {summary}"
    assert context["text"].startswith(episodes["text"])


def test_a_receipt_explains_without_repeating(acme: RestClient, told: dict[str, dict[str, Any]]) -> None:
    context = acme.post("context", {"query": QUESTION, "token_budget": 500}).json()

    answer = acme.get(f"receipts/{context['receipt_id']}")

    receipt = answer.json()
    assert {item["id"] for item in receipt["chosen"]} >= {told["fact"]["id"], told["hit"]["id"]}
    assert receipt["tokens_used"] == context["tokens_used"]
    assert "flour" not in answer.content.decode().lower()


def test_outsiders_see_no_receipt(acme: RestClient, umbrella: RestClient, told: dict[str, dict[str, Any]]) -> None:
    context = acme.post("context", {"query": QUESTION}).json()

    assert umbrella.get(f"receipts/{context['receipt_id']}").status_code == 404
    assert umbrella.post("context", {"query": QUESTION, "node_ids": [told["hit"]["id"]]}).json()["blocks"] == []


def test_a_failing_layer_is_named_and_the_rest_goes_on(acme: RestClient, told: dict[str, dict[str, Any]]) -> None:
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE node_embeddings RENAME TO node_embeddings_elsewhere")

    context = acme.post("context", {"query": QUESTION}).json()

    assert context["left_out"] == ["search"]
    assert told["fact"]["content"] in context["text"]


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"query": ""},
        {"query": 7},
        {"query": "x", "token_budget": 0},
        {"query": "x", "token_budget": "many"},
        {"query": "x", "node_ids": ["x"]},
        {"query": "x", "workspace_id": str(uuid4())},
        {"query": "x" * 4_001},
    ],
)
def test_refuses_bad_requests(acme: RestClient, body: dict[str, Any]) -> None:
    answer = acme.post("context", body)

    assert (answer.status_code, answer.json()["code"]) in {(422, "invalid"), (422, "unknown_field")}
