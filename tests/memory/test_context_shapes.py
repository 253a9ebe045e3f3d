"""Contexts for what no single message says: an order, a summary, and what a user has asked for once and for all."""

from __future__ import annotations

from typing import Any

import pytest

from llm.embedding.services.backlog import embed_for_a_while
from tests.cast import Cast, RestClient

pytestmark = pytest.mark.django_db

INSTRUCTION = "Always give weights in grams."
CONDITIONAL = "Always name the mill when I ask about flour."
PREFERENCE = "I prefer a crust that is thin, since my teeth are old."
OTHERS = [f"Delivery {number} came with the van at noon." for number in range(30)]


def test_a_request_gets_what_was_asked_for_once_and_for_all(acme: RestClient) -> None:
    said = _say(acme, [INSTRUCTION, PREFERENCE, CONDITIONAL, *OTHERS])

    items = _items(acme, said, "Can you say when the van came with the flour at noon?")

    assert items[INSTRUCTION]["reason"] == "instruction that may apply"
    assert items[PREFERENCE]["reason"] == "preference that may apply"
    assert items[CONDITIONAL]["reason"] == "conditional instruction that may apply"
    assert items[INSTRUCTION]["confidence"] >= 0.3


def test_what_was_asked_for_on_another_occasion_does_not_apply(acme: RestClient) -> None:
    said = _say(acme, [INSTRUCTION, CONDITIONAL, *OTHERS])

    reasons = {item["reason"] for item in _items(acme, said, "Can you say when the van came with delivery 7?").values()}

    assert "instruction that may apply" in reasons
    assert "conditional instruction that may apply" not in reasons


def test_what_not_to_say_has_a_topic_in_common_or_nothing_is_said(cast: Cast, acme: RestClient) -> None:
    eggs, thunder = "Duck eggs make me ill, all of such food does.", "I hate thunder, it upsets me and I fear it."
    said = _say(acme, [PREFERENCE, eggs, thunder, *OTHERS[:3]], name="Mara")
    assert embed_for_a_while(workspace_id=cast.acme.caller.workspace_id, seconds=60)[1]

    assert set(_items(acme, said, "What should I not say to Mara about food?")) == {eggs}
    assert set(_items(acme, said, "What should I not mention to Mara?")) == {thunder}
    assert not _items(acme, said, "What should I not say to Mara about opera?")


def test_another_question_does_not(acme: RestClient) -> None:
    said = _say(acme, [INSTRUCTION, *OTHERS])

    found = _items(acme, said, "When did van 7 come?")

    assert "instruction that may apply" not in {item["reason"] for item in found.values()}


def test_only_what_is_asked_of_all_answers_applies_to_what_nobody_spoke_of(acme: RestClient) -> None:
    said = _say(acme, [INSTRUCTION, PREFERENCE, CONDITIONAL, *OTHERS])

    assert set(_items(acme, said, "Can you translate Quorlith's zebra sonnet?")) == {INSTRUCTION}


def test_what_an_assistant_said_is_no_instruction(acme: RestClient) -> None:
    said = _say(acme, [INSTRUCTION, *OTHERS], role="assistant")

    found = _items(acme, said, "Can you write me a plan for the deliveries with the van?")

    assert "instruction that may apply" not in {item["reason"] for item in found.values()}


@pytest.mark.parametrize("is_compared", [True, False])  # what nothing is near to applies to all answers all the same
def test_statements_of_these_kinds_apply_as_well(cast: Cast, acme: RestClient, is_compared: bool) -> None:
    acme.put("settings", {"memory": {"enabled": True}})
    lines = [{"role": "user", "content": INSTRUCTION}, {"role": "assistant", "content": "Gladly, from today on."}]
    assert acme.post("conversations/bread/messages", {"messages": lines}).status_code == 201
    assert acme.post("conversations/bread/consolidate", {"retain_last": 0, "max_age_days": 0}).status_code == 200
    if is_compared:
        assert embed_for_a_while(workspace_id=cast.acme.caller.workspace_id, seconds=60)[1]

    blocks = _context(acme, "Can you translate Quorlith's zebra sonnet?")["blocks"]

    [statement] = [item for block in blocks if block["name"] == "statements" for item in block["items"]]
    assert statement["reason"] == "instruction that may apply"


def test_a_statement_applies_on_its_occasion_alone(cast: Cast, acme: RestClient) -> None:
    acme.put("settings", {"memory": {"enabled": True}})
    lines = [{"role": "user", "content": each} for each in (CONDITIONAL, INSTRUCTION)]
    lines.append({"role": "assistant", "content": "Gladly, from today on."})
    assert acme.post("conversations/bread/messages", {"messages": lines}).status_code == 201
    assert acme.post("conversations/bread/consolidate", {"retain_last": 0, "max_age_days": 0}).status_code == 200
    assert embed_for_a_while(workspace_id=cast.acme.caller.workspace_id, seconds=60)[1]

    def kept(query: str) -> str:
        return "".join(block["text"] for block in _context(acme, query)["blocks"] if block["name"] == "statements")

    assert "the mill" in kept("Can you order the flour?")
    assert "the mill" not in kept("Can you translate Quorlith's zebra sonnet?")


def test_what_is_asked_for_in_another_space_does_not_apply(acme: RestClient) -> None:
    said = _say(acme, [INSTRUCTION, *OTHERS])
    query = "Can you say when the van came with delivery 7 at noon?"

    reasons = {item["reason"] for item in _items(acme, said, query, user="42").values()}

    assert reasons
    assert "instruction that may apply" not in reasons


def test_an_order_is_told_by_short_mentions_in_the_order_of_time(acme: RestClient) -> None:
    story = "so that the whole street could smell it from the river up to the station. " * 6
    _say(acme, [f"We opened bakery number {number} in the valley, {story}" for number in range(6)])

    text = _context(acme, "In what order did we open the bakeries in the valley?")["text"]

    places = [text.index(f"bakery number {number}") for number in range(6)]
    assert places == sorted(places)
    assert all(len(line) < 300 for line in text.splitlines())


def test_a_long_answer_is_quoted_by_what_bears_on_the_query_and_can_be_written_again(acme: RestClient) -> None:
    story = "It is a fine old craft, which takes its time. " * 20
    _say(acme, [f"{story}Larch burns evenly in a stone oven. {story}"], role="assistant")

    context = _context(acme, "Which wood burns evenly in a stone oven?")

    assert "assistant: … Larch burns evenly in a stone oven. " in context["text"]
    assert len(context["text"]) < 600
    assert acme.post(f"receipts/{context['receipt_id']}/reproduce", {}).json()["is_identical"]


def _say(rest: RestClient, talk: list[str], role: str = "user", name: str = "") -> dict[str, str]:
    """Return what was said by the ids of the messages."""
    messages = [
        {"role": role, "name": name, "content": content, "created_at": f"2023-05-08T10:{place:02}:00Z"}
        for place, content in enumerate(talk)
    ]
    stored = rest.post("conversations/bread/messages", {"messages": messages}).json()["messages"]
    return {message["id"]: message["content"] for message in stored}


def _context(rest: RestClient, query: str, **more: Any) -> dict[str, Any]:
    answer: dict[str, Any] = rest.post("context", {"query": query, "token_budget": 4_000, **more}).json()
    return answer


def _items(rest: RestClient, said: dict[str, str], query: str, **more: Any) -> dict[str, dict[str, Any]]:
    """Return the items of messages by what they say."""
    return {said[item["id"]]: item for block in _context(rest, query, **more)["blocks"] for item in block["items"]}
