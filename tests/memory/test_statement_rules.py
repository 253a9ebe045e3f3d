"""Statements drawn by rules: what is kept of a message, in which words, and what is not."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

import pytest

from core.text.tokens import count_tokens
from memory.episodes.message_markup import plain
from memory.episodes.statement_check import says_no_more
from memory.episodes.statement_kinds import StatementKind, classify
from memory.episodes.statement_rules import draw_candidates
from memory.episodes.statement_selection import MAX_FRACTION, draw_statements

AT = datetime(2023, 6, 9, 12, tzinfo=UTC)


@dataclass(frozen=True)
class Said:
    """A message."""

    content: str
    name: str = "Ana"
    role: str = "user"
    created_at: datetime = AT


def texts(*messages: Said) -> list[str]:
    return [each.text for each in draw_candidates(messages)]


BEN = Said("I run a bakery in Graz.", name="Ben")


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Hey Ben! How are you?", []),
        ("Wow, that's great!", []),
        ("Thanks, Ben! You're the best.", []),
        ("Sounds good, let me know.", []),
        ("Wow, Ben! I sold my boat yesterday.", ["Ana sold their boat on 8 June 2023."]),
        ("Went to the opera last night, Ben!", ["Ana went to the opera on the night of 8 June 2023!"]),
        ("Learning Greek for my trip to Crete.", ["Ana is learning Greek for their trip to Crete."]),
        ("Learning Greek is hard for beginners.", ["Ana said: Learning Greek is hard for beginners."]),
        (
            "I adopted a greyhound in May. She won three races in Graz.",
            ["Ana adopted a greyhound in May. She won three races in Graz."],
        ),
        ("Look! [shares a photo: two boats in a harbour]", ["Ana shared two boats in a harbour."]),
        ("My password is hunter2-Xq81!", []),
        ("```\nimport this\n```", []),
    ],
)
def test_people_among_themselves(said: str, kept: list[str]) -> None:
    assert texts(Said(said), BEN)[: len(kept)] == kept
    assert len(texts(Said(said), BEN)) == len(kept) + 1


def test_a_short_answer_stands_behind_its_question() -> None:
    asked = Said("Cool! How long have you been baking?", name="Ben")

    assert texts(asked, Said("Since 1999!")) == ['Asked "How long has Ana been baking?", Ana said: Since 1999!']


ASSISTANT = Said("Certainly!", name="", role="assistant")


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        (
            "I'm moving to Oslo in May, can you help me find a flat?",
            "The user is moving to Oslo in May; they asked the assistant to help them find a flat.",
        ),
        ("Could you list the trams of Graz?", "The user asked the assistant to list the trams of Graz."),
        ("How do I renew my passport?", "The user asked: How do they renew their passport?"),
        (
            "Always include prices when I ask about flats.",
            "The user instructed: Always include prices when they ask about flats.",
        ),
    ],
)
def test_what_a_user_wants_of_an_assistant(said: str, kept: str) -> None:
    assert texts(Said(said, name=""), ASSISTANT) == [kept]


def test_a_long_answer_is_cut_to_its_outline_and_what_has_numbers() -> None:
    answer = """Certainly! Here is how to go about it.

### Step 1: Register the boat
- **Fee**: It costs 120 euros at the harbour office.
- **Form**: There is a form for it.

### Step 2: Insure the boat
Insurers differ in what they ask for, so compare a few of them before you sign.

Let me know if you need more."""
    kept = texts(Said("Can you help me plan what to do with my new boat?", name=""), Said(answer, "", "assistant"))

    assert kept[1:] == [
        "Asked to help plan what to do with the user's new boat, the assistant suggested: "
        "Register the boat; Insure the boat; Fee; Form.",
        "The assistant suggested (Register the boat): Fee: It costs 120 euros at the harbour office.",
    ]


def test_statements_take_a_third_and_few_messages_end_without_any() -> None:
    towns = ("Graz", "Linz", "Wels", "Bonn", "Kiel", "Bern", "Genf", "Lyon", "Metz", "Nice", "Rome", "Bari")
    messages = [
        Said(
            f"Hi there! I visited {town} with {number + 2} friends last week. It was wonderful weather for walking all "
            "day long. We had a really great time there, and I want to tell you more about it when we meet.",
            created_at=AT,
        )
        for number, town in enumerate(towns)
    ]

    drawn = draw_statements([*messages, BEN])

    replaced = sum(count_tokens(each.content) for each in [*messages, BEN])
    assert sum(each.tokens for each in drawn) <= MAX_FRACTION * replaced
    assert len({each.source for each in drawn}) == len(drawn) >= len(towns) / 2
    assert [each.source for each in drawn] == sorted(each.source for each in drawn)


@pytest.mark.parametrize(
    ("said", "kind"),
    [
        ("I prefer trains to planes.", StatementKind.PREFERENCE),
        ("Always answer in German.", StatementKind.INSTRUCTION),
        ("I'm going to learn Greek.", StatementKind.PLAN),
        ("I sold my boat.", StatementKind.EVENT),
        ("We decided to use PostgreSQL.", StatementKind.DECISION),
        ("The team has 14 members.", StatementKind.FACT),
    ],
)
def test_kinds_follow_from_the_words(said: str, kind: StatementKind) -> None:
    assert classify(said) == kind


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("Ana sold the boat to Tom for 4,000 euros on 8 June 2023.", True),
        ("Ana sold the boat to Tim for 4,000 euros.", False),
        ("Ana sold the boat to Tom for 5,000 euros.", False),
        ("Ana sold the boat to Tom on 7 June 2023.", False),
        ("Ana sold the boat to Tom in 2022.", False),
        ("Yesterday's buyer is Tom, and four others asked.", True),
    ],
)
def test_what_a_model_adds_is_noticed(text: str, holds: bool) -> None:
    turns = [Said("I sold the boat to Tom for 4,000 euros yesterday; 4 others had asked.")]

    assert says_no_more(text, turns=turns, place=0) is holds


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("It opens at nine -> 12", "It opens at nine"),
        ("Saved. → 1, 2 => 3", "Saved."),
        ("From 1 -> 2 steps", "From 1 -> 2 steps"),
        ("Done - 3.", "Done - 3."),
        ("→" * 20_000 + "x", "→" * 20_000 + "x"),
    ],
)
def test_arrows_and_numbers_at_the_end_are_cut(text: str, left: str) -> None:
    assert plain(text) == left
