"""Contexts for "What did we talk about last time?": the last session before the present one, and nothing else."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from core.clock import utc_now
from tests.cast import Cast, RestClient

pytestmark = pytest.mark.django_db

QUERY = "What did we talk about last time?"
OVEN = ["The oven of the bakery was cold on Monday.", "The mason comes for it on Friday."]
MILL = ["The mill has a new wheel of larch.", "It turns twice as fast as the old one."]
REASON = "said in the conversation before this one"


def test_the_newest_conversation_comes_in_order_and_dated(acme: RestClient) -> None:
    _say(acme, "oven", OVEN, "2023-05-08")
    _say(acme, "mill", MILL, "2023-06-09")

    block = _block(acme, QUERY)

    opening, second = block["text"].splitlines()[1:]
    assert " Fri 2023-06-09 " in opening
    assert opening.endswith(MILL[0])
    assert second.endswith(MILL[1])
    assert {item["reason"] for item in block["items"]} == {REASON}
    assert [item["confidence"] for item in block["items"]] == [0.75, 1.0]


def test_of_a_conversation_the_last_session_counts(acme: RestClient) -> None:
    _say(acme, "bread", OVEN, "2023-05-08")
    _say(acme, "bread", MILL, "2023-06-09")

    assert _said(acme, "Where did we leave off?") == MILL
    assert _said(acme, "Where did we leave off?", conversation="bread", as_of="2023-06-01T00:00:00Z") == []  # it has it
    assert _said(acme, "Where did we leave off?", as_of="2023-06-01T00:00:00Z") == OVEN


def test_what_is_said_now_is_not_what_was_said_last_time(acme: RestClient) -> None:
    _say(acme, "oven", OVEN, "2023-05-08")
    now = utc_now() - timedelta(minutes=5)
    acme.post(
        "conversations/now/messages", {"messages": [{"role": "user", "content": MILL[0], "created_at": str(now)}]}
    )

    assert _said(acme, QUERY, conversation="now") == OVEN
    assert _said(acme, QUERY, conversation="unknown") == [MILL[0]]


def test_the_first_conversation_has_none_before_it(acme: RestClient) -> None:
    assert _said(acme, QUERY) == []


def test_named_speakers_say_which_conversation(acme: RestClient) -> None:
    _say(acme, "oven", OVEN, "2023-05-08", names=["Mara", "Ben Olsen"])
    _say(acme, "mill", MILL, "2023-06-09", names=["Mara", "Ida"])

    assert _said(acme, "What did Mara and Ben talk about last time?") == OVEN
    assert _said(acme, "What did Mara and Ida talk about last time?") == MILL


def test_a_long_session_is_quoted_in_short(acme: RestClient) -> None:
    _say(acme, "mill", [f"Wheel {number}. {'It turned and turned. ' * 20}" for number in range(40)], "2023-06-09")

    block = _block(acme, QUERY, token_budget=2_000)

    assert len(block["items"]) == 40


def test_what_was_consolidated_is_told_by_its_summary_and_statements(acme: RestClient) -> None:
    acme.put("settings", {"memory": {"enabled": True}})
    _say(acme, "oven", ["Mara has a stone oven in Bergen.", "Mara sold her mill to Ida."], "2023-05-08")
    _say(acme, "mill", ["Ida has a mill of larch in Voss.", "Ida bakes rye bread on Fridays."], "2023-06-09")
    for name in ("oven", "mill"):
        body = {"retain_last": 0, "max_age_days": 0}
        assert acme.post(f"conversations/{name}/consolidate", body).status_code == 200

    blocks = {block["name"]: block for block in _context(acme, QUERY)["blocks"]}

    assert len(blocks["episodes"]["items"]) == 1
    assert "9 June 2023" in blocks["episodes"]["text"]
    assert "2023-06-09: " in blocks["statements"]["text"]
    assert "Mara" not in blocks["episodes"]["text"] + blocks["statements"]["text"]
    assert "messages" not in blocks


@pytest.mark.parametrize(("where", "said"), [("off", []), ("conversation", [])])
def test_settings_say_where_messages_come_from(acme: RestClient, where: str, said: list[str]) -> None:
    _say(acme, "oven", OVEN, "2023-05-08")
    acme.put("settings", {"memory": {"recall_messages": where}})

    assert _said(acme, QUERY, conversation="elsewhere") == said


def test_the_text_can_be_written_again(acme: RestClient) -> None:
    _say(acme, "oven", ["The oven. " * 200, *OVEN], "2023-05-08")

    receipt = _context(acme, QUERY)["receipt_id"]

    assert acme.post(f"receipts/{receipt}/reproduce", {}).json()["is_identical"]


def test_charlie_sees_nothing_of_it(cast: Cast, acme: RestClient, umbrella: RestClient) -> None:
    _say(acme, "oven", OVEN, "2023-05-08")
    _say(acme, "mill", MILL, "2023-06-09", user="42")

    assert _said(umbrella, QUERY) == []
    assert _said(acme, QUERY, user="42") == MILL
    assert _said(acme, QUERY, user="43") == OVEN


def _say(rest: RestClient, key: str, talk: list[str], day: str, *, names: list[str] | None = None, **more: Any) -> None:
    called = names or ["", ""]
    messages = [
        {
            "role": "user",
            "name": called[place % 2],
            "content": content,
            "created_at": f"{day}T10:{place:02}:00Z",
        }
        for place, content in enumerate(talk)
    ]
    assert rest.post(f"conversations/{key}/messages", {"messages": messages, **more}).status_code == 201


def _context(rest: RestClient, query: str, **more: Any) -> dict[str, Any]:
    answer: dict[str, Any] = rest.post("context", {"query": query, **more}).json()
    return answer


def _block(rest: RestClient, query: str, **more: Any) -> dict[str, Any]:
    blocks = {block["name"]: block for block in _context(rest, query, **more)["blocks"]}
    found: dict[str, Any] = blocks.get("messages", {"text": "", "items": []})
    return found


def _said(rest: RestClient, query: str, **more: Any) -> list[str]:
    """Return what the passages say, in their order."""
    lines = _block(rest, query, **more)["text"].splitlines()[1:]
    return [line.partition(": ")[2] for line in lines]


def test_an_answer_that_quotes_what_was_suppressed_since_is_not_in_it(acme: RestClient) -> None:
    memory = acme.remembered("Ana prefers oat milk.")
    said = [("user", "Which milk does Ana want?"), ("assistant", f"Oat milk [mem:{memory['id']}].")]
    body = {"messages": [{"role": role, "content": text} for role, text in said]}
    assert acme.post("conversations/bar/messages", body).status_code == 201
    assert [line.partition(" (")[0] for line in _said(acme, QUERY)] == [said[0][1], "Oat milk"]

    acme.post(f"memories/{memory['id']}/suppress")

    assert _said(acme, QUERY) == [said[0][1]]
