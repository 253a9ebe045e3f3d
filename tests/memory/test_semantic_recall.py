"""Semantic recall: what was said long ago comes back into a context, once a workspace has switched it on."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cast import RestClient

pytestmark = pytest.mark.django_db

SAID = "We hiked up the Silver Ridge with Rex."
QUESTION = "Who hiked up the Silver Ridge?"


def test_is_off_until_it_is_switched_on(acme: RestClient) -> None:
    _say(acme)

    assert _messages(acme)["items"] == []


def test_brings_what_was_said_with_its_surroundings(acme: RestClient) -> None:
    _say(acme)
    _switch_on(acme)

    block = _messages(acme)

    lines = block["text"].splitlines()
    assert lines[0] == "Said earlier in this conversation:"
    found = next(place for place, line in enumerate(lines) if SAID in line)
    assert "2023-05-08 user Ben:" in lines[found]
    assert "Before." in lines[found - 1]
    assert "After." in lines[found + 1]
    assert any(item["reason"].startswith("found by") for item in block["items"])


def test_leaves_out_what_the_caller_has_anyway(acme: RestClient) -> None:
    _say(acme, later=5)
    _switch_on(acme)

    assert SAID not in _messages(acme)["text"]


def test_nothing_comes_from_another_workspace(acme: RestClient, umbrella: RestClient) -> None:
    _say(acme)
    _switch_on(umbrella)

    assert _messages(umbrella)["items"] == []


def _switch_on(rest: RestClient) -> None:
    assert rest.put("settings", {"memory": {"semantic_recall": True}}).json()["memory"]["semantic_recall"] is True


def _say(rest: RestClient, *, later: int = 30) -> None:
    talk = ["Before.", SAID, "After.", *(f"Then number {number} came by." for number in range(later))]
    messages = [
        {"role": "user", "name": "Ben", "content": content, "created_at": f"2023-05-08T10:{place:02}:00Z"}
        for place, content in enumerate(talk)
    ]
    assert rest.post("conversations/trips/messages", {"messages": messages}).status_code == 201


def _messages(rest: RestClient) -> dict[str, Any]:
    answer = rest.post("context", {"query": QUESTION, "conversation": "trips", "token_budget": 2_000}).json()
    empty = {"text": "", "items": []}
    return next((block for block in answer["blocks"] if block["name"] == "messages"), empty)
