"""Recall of messages: what was said long ago, in whatever conversation, comes back into a context."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cast import RestClient

pytestmark = pytest.mark.django_db

SAID = "We hiked up the Silver Ridge with Rex."
QUESTION = "Who hiked up the Silver Ridge?"


def test_brings_what_was_said_in_another_conversation(acme: RestClient) -> None:
    _say(acme)

    block = _messages(acme, conversation="a new one")

    lines = block["text"].splitlines()
    found = next(line for line in lines if SAID in line)
    assert lines[0] == "Said earlier, in passages:"
    assert "user Ben:" in found
    item = next(item for item in block["items"] if item["reason"].startswith("found by"))
    assert f"[msg:{item['id']}] Mon 2023-05-08" in block["text"]
    assert 0 < item["confidence"] <= 1


@pytest.mark.parametrize(("where", "conversation", "is_there"), [
    ("off", "trips", False),
    ("conversation", "trips", True),
    ("conversation", "a new one", False),
    ("spaces", "a new one", True),
])  # fmt: skip
def test_comes_from_where_the_workspace_says(acme: RestClient, where: str, conversation: str, is_there: bool) -> None:
    _say(acme)
    changed = acme.put("settings", {"memory": {"recall_messages": where}}).json()["memory"]
    assert changed["recall_messages"] == where

    assert (SAID in _messages(acme, conversation=conversation)["text"]) is is_there


def test_leaves_out_what_the_caller_has_anyway(acme: RestClient) -> None:
    _say(acme, later=5)

    assert SAID not in _messages(acme)["text"]


def test_what_the_caller_has_anyway_is_what_the_workspace_says(acme: RestClient) -> None:
    _say(acme, later=5)
    acme.put("settings", {"memory": {"recent_messages": 3}})

    assert SAID in _messages(acme)["text"]
    assert len(acme.get("conversations/trips/window").json()["messages"]) == 3
    assert len(acme.get("conversations/trips/window?last=4").json()["messages"]) == 4


@pytest.mark.parametrize("query", [QUESTION, "Which vaccine does the zebra of Aunt Quorlith need?"])
def test_a_question_that_was_appended_first_is_not_its_own_answer(acme: RestClient, query: str) -> None:
    """Agents append a turn and ask for its context then: nothing has the words of a question as it has itself."""
    _say(acme)
    blocks = _context(acme, query=query, conversation="live")["blocks"]
    message = {"role": "user", "content": query, "created_at": "2023-05-09T10:00:00Z"}
    assert acme.post("conversations/live/messages", {"messages": [message]}).status_code == 201

    assert _context(acme, query=query, conversation="live")["blocks"] == blocks


@pytest.mark.parametrize(("before", "after"), [(0, 0), (3, 0), (0, 4), (2, 1)])
def test_recall_in_a_conversation_is_as_wide_as_the_workspace_says(acme: RestClient, before: int, after: int) -> None:
    _append(acme, [*_others(6), SAID, *_others(6)])
    acme.put("settings", {"memory": {"recall_top_k": 1, "recall_before": before, "recall_after": after}})

    (found,) = acme.post("conversations/trips/recall", {"query": QUESTION}).json()["results"]

    assert found["message"]["content"] == SAID
    assert [each["content"] for each in found["before"]] == _others(6)[6 - before :]
    assert [each["content"] for each in found["after"]] == _others(6)[:after]
    assert len(acme.post("conversations/trips/recall", {"query": QUESTION, "top_k": 3}).json()["results"]) == 3


def test_recall_in_a_conversation_does_not_find_the_question_that_was_just_asked(acme: RestClient) -> None:
    _append(acme, [SAID, *_others(6), QUESTION])

    (found,) = acme.post("conversations/trips/recall", {"query": QUESTION, "top_k": 1}).json()["results"]

    assert found["message"]["content"] == SAID


def test_a_question_comes_with_its_answer(acme: RestClient) -> None:
    asked = "When did you climb the Silver Ridge with Rex?"
    _append(acme, [asked, "In May, right after the thaw.", *_others(30)])

    assert "right after the thaw" in _messages(acme, conversation="a new one")["text"]


def test_the_same_words_are_there_once(acme: RestClient) -> None:
    _say(acme)
    acme.post("memories", {"content": SAID})

    answer = _context(acme, conversation="a new one")

    assert answer["text"].count(SAID) == 1
    assert "repeated" in {each["reason"] for each in answer["dropped"]}


def test_nothing_is_there_for_a_question_about_nothing_that_was_said(acme: RestClient) -> None:
    _say(acme)

    answer = _context(acme, query="Which vaccine does the zebra of Aunt Quorlith need?", conversation="a new one")

    assert [block["name"] for block in answer["blocks"]] == []
    assert {each["reason"] for each in answer["dropped"]} <= {"low_confidence"}


def test_the_least_confidence_is_the_workspaces(acme: RestClient) -> None:
    _say(acme)
    acme.put("settings", {"memory": {"min_confidence": 1}})

    answer = _context(acme, conversation="a new one")

    assert answer["blocks"] == []
    assert {each["reason"] for each in answer["dropped"]} == {"low_confidence"}


def test_five_episodes_are_in_before_any_memory(acme: RestClient) -> None:
    acme.put("settings", {"memory": {"enabled": True}})
    for number in range(6):
        _append(acme, [f"Order {number} of the Silver Ridge lodge was late.", "I see."])
        assert acme.post("conversations/trips/consolidate", {"retain_last": 0, "max_age_days": 0}).status_code == 200
    for number in range(45):
        acme.post("memories", {"content": f"Somebody of the Silver Ridge, guest {number}, hiked there with a dog."})

    blocks = {block["name"]: block["items"] for block in _context(acme, token_budget=900)["blocks"]}

    assert len(blocks["episodes"]) == 5
    assert blocks["memories"]


def test_nothing_comes_from_another_workspace(acme: RestClient, umbrella: RestClient) -> None:
    _say(acme)

    assert _messages(umbrella)["items"] == []


def _others(number: int) -> list[str]:
    return [f"Then number {place} came by." for place in range(number)]


def _say(rest: RestClient, *, later: int = 30) -> None:
    _append(rest, ["Before.", SAID, "After.", *_others(later)])


def _append(rest: RestClient, talk: list[str]) -> None:
    messages = [
        {"role": "user", "name": "Ben", "content": content, "created_at": f"2023-05-08T10:{place:02}:00Z"}
        for place, content in enumerate(talk)
    ]
    assert rest.post("conversations/trips/messages", {"messages": messages}).status_code == 201


def _context(rest: RestClient, **asked: Any) -> dict[str, Any]:
    body = {"query": QUESTION, "conversation": "trips", "token_budget": 2_000, **asked}
    answer: dict[str, Any] = rest.post("context", body).json()
    return answer


def _messages(rest: RestClient, **asked: Any) -> dict[str, Any]:
    empty = {"text": "", "items": []}
    return next((block for block in _context(rest, **asked)["blocks"] if block["name"] == "messages"), empty)
