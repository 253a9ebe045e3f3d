"""What only the summary of an episode says is a statement as well, so that other conversations find it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pytest

from memory.episodes.services import consolidation
from memory.episodes.statement_selection import draw_statements
from memory.episodes.summary_statements import draw_from_summary
from tests.cast import Cast
from tests.memory.test_episodes import consolidate


@dataclass(frozen=True)
class Said:
    role: str
    content: str
    name: str = ""
    created_at: datetime = datetime(2026, 5, 12, 9, tzinfo=UTC)


TALK = [
    Said(
        "user", "Hello! Nils said Oskarshamn, or was it Kalmar, around the 9th, when the lock gates are closed?", "Ida"
    ),
    Said("assistant", "Good to hear, thank you. Kalmar it is."),
    Said("user", "I repaired my boat in April.", "Ida"),
    Said("assistant", "Well done."),
]


@pytest.mark.parametrize(
    ("sentence", "is_kept"),
    [
        ("Nils told Ida that the lock gates of Kalmar are closed around the 9th.", True),
        ("Ida and the assistant exchanged 4 messages on 12 May 2026.", False),  # of the talk
        ("Ida repaired her boat in April 2026.", False),  # a statement says it
        ("Nils told Ida that the lock gates of Malmö are closed around the 9th.", False),  # added
        ("Nils told Ida that the gates are closed for 14 days.", False),  # added
        ("That was in Kalmar.", False),  # points at another sentence
        ("They had a friendly chat about boats.", False),
    ],
)
def test_a_sentence_with_a_name_or_a_date_of_its_own_is_kept(sentence: str, is_kept: bool) -> None:
    drawn = [each for each in draw_statements(TALK) if "Kalmar" not in each.text]

    found = draw_from_summary(sentence, drawn, TALK)

    assert [each.text for each in found] == [sentence] * is_kept
    assert {(each.speaker, each.source) for each in found} <= {("Ida", 0)}


def test_few_sentences_of_a_summary_are_kept() -> None:
    towns = ("Graz", "Linz", "Wels", "Bonn", "Kiel", "Bern", "Genf", "Lyon")
    talk = [Said("user", f"There was {town}, wasn't it?", "Ida") for town in towns]

    found = draw_from_summary(" ".join(f"Ida asked about {town}." for town in towns), [], talk)

    assert len(found) == 3
    assert draw_from_summary("Ida asked about Graz.", [], []) == []


def test_another_conversation_finds_what_only_the_summary_says(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    acme = cast.acme.rest()
    assert acme.post("memory/enable").status_code == 200
    summary = "Nils told Ida that the lock gates of Kalmar are closed around the 9th."

    def summarize(**options: Any) -> str:
        return summary

    monkeypatch.setattr(consolidation, "summarize", summarize)
    lines = [
        {"role": each.role, "content": each.content, "name": each.name, "created_at": each.created_at.isoformat()}
        for each in TALK
    ]
    assert acme.post("conversations/boat/messages", {"messages": lines}).status_code == 201
    assert consolidate(acme, retain_last=0, key="boat")["episodes"][0]["summary"] == summary

    asked = {"query": "When are the lock gates of Kalmar closed?", "conversation": "other"}
    assert summary in acme.post("context", asked).json()["text"]
    assert summary not in cast.umbrella.rest().post("context", asked).json()["text"]
