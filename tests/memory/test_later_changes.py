"""What changed since what answers a question comes along, from among what hardly bears on the question itself."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from llm.embedding.services.backlog import embed_for_a_while
from memory.recall.later_changes import LaterText, choose_answers, choose_changes, tells_change
from tests.cast import Cast, RestClient

OLD = "The harvest supper is on 12 September, in the tithe barn."
NEW = "Because of the storm damage our harvest evening was put off until 26 September."
QUESTION = "When is the harvest supper?"
ANSWER = uuid4()
Turn = tuple[str, str, str]


@pytest.mark.parametrize(("text", "of", "is_change"), [
    (NEW, OLD, True),
    ("The tithe barn fell through, the roof leaks.", OLD, True),
    ("I turned down the role.", "They asked whether I would lead the brass band.", True),
    ("Entry went up to 9 euros.", "Entry is 7 euros.", True),
    ("My knee feels better now.", OLD, False),
    ("The harvest supper was lovely.", OLD, False),
])  # fmt: skip
def test_a_change_tells_an_end_or_a_value_of_the_same_kind(text: str, of: str, is_change: bool) -> None:
    assert tells_change(text, of=of) is is_change


@pytest.mark.parametrize(("confidences", "number"), [
    ([], 0),
    ([0.004, 0.003], 0),
    ([0.5, 0.2, 0.1], 2),
    ([0.5, 0.4, 0.3, 0.3], 3),
])  # fmt: skip
def test_only_what_answers_can_be_changed(confidences: list[float], number: int) -> None:
    assert len(choose_answers((uuid4(), each) for each in confidences)) == number


@pytest.mark.parametrize(("cosine", "of_question", "text", "is_chosen"), [
    (0.6, 0.4, NEW, True),
    (0.52, 0.4, NEW, False),
    (0.6, 0.5, "We moved the choir to 3 October.", False),  # has no word of both
    (0.7, 0.5, "We moved the choir to 3 October.", True),
    (0.8, 0.6, "I bought a new hat.", False),
])  # fmt: skip
def test_a_change_comes_near_what_it_changes(cosine: float, of_question: float, text: str, is_chosen: bool) -> None:
    later = LaterText(ANSWER, uuid4(), cosine, of_question, text)

    chosen = choose_changes(QUESTION, {ANSWER: (OLD, 0.5)}, [later])

    assert chosen == ({later.id: 0.025} if is_chosen else {})


def test_at_most_two_changes_come_with_an_answer() -> None:
    later = [LaterText(ANSWER, uuid4(), 0.9 - place / 100, 0.5, NEW) for place in range(4)]

    assert list(choose_changes(QUESTION, {ANSWER: (OLD, 0.5)}, later)) == [each.id for each in later[:2]]


@pytest.mark.django_db
def test_a_context_has_the_later_date_behind_the_earlier_one(cast: Cast, acme: RestClient) -> None:
    _say(cast, acme, ("2026-08-03T09:00:00Z", "Mara", OLD), ("2026-08-20T09:00:00Z", "Mara", NEW))

    block = _messages(acme)

    assert block["text"].index("12 September") < block["text"].index("26 September")
    assert "Thu 2026-08-20" in block["text"]
    assert [item["reason"] for item in block["items"]][-1] == "said later, and may change what was found"


@pytest.mark.django_db
@pytest.mark.parametrize("turn", [
    ("2026-08-03T09:30:00Z", "Mara", NEW),  # in the same talk
    ("2026-07-20T09:00:00Z", "Mara", NEW),  # before it
    ("2026-08-20T09:00:00Z", "Ben", NEW),  # another user's
    ("2026-08-20T09:00:00Z", "Mara", "The plums are ripe now, and the wasps know it."),
])  # fmt: skip
def test_nothing_else_is_taken_for_a_change(cast: Cast, acme: RestClient, turn: Turn) -> None:
    _say(cast, acme, ("2026-08-03T09:00:00Z", "Mara", OLD), turn)

    reasons = [item["reason"] for item in _messages(acme)["items"]]

    assert not any(reason.startswith("said later") for reason in reasons)


def _say(cast: Cast, client: RestClient, *turns: Turn) -> None:
    others = [("2026-06-01T08:00:00Z", "Ben", f"Hen number {place} laid an egg.") for place in range(12)]
    messages = [{"role": "user", "name": name, "content": text, "created_at": at} for at, name, text in others]
    messages += [{"role": "user", "name": name, "content": text, "created_at": at} for at, name, text in turns]
    client.post("conversations/village/messages", {"messages": messages})
    assert embed_for_a_while(workspace_id=cast.acme.caller.workspace_id, seconds=60)[1]


def _messages(client: RestClient) -> dict[str, Any]:
    blocks = client.post("context", {"query": QUESTION}).json()["blocks"]
    found: dict[str, Any] = next(block for block in blocks if block["name"] == "messages")
    return found
