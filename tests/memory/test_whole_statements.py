"""Statements that are whole, and sentences that are left out since nothing makes them so."""

from __future__ import annotations

import pytest

from tests.memory.test_statement_rules import BEN, Said, texts


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Picked up new oars in Bari.", ["Ana picked up new oars in Bari."]),
        ("They were loud, I left the regatta in Bari at noon.", ["Ana left the regatta in Bari at noon."]),
        ("That was hard. I sold my boat in Bari.", ["Ana sold their boat in Bari."]),
        ("After that, we ate in Bari.", ["Ana and others ate in Bari."]),
        (
            "My kids came to Bari. We rented a boat in May.",
            ["Ana's kids came to Bari.", "Ana and their kids rented a boat in May."],
        ),
        ("I saw this lovely old boat in Bari.", ["Ana saw a lovely old boat in Bari."]),
        ("I took this pic in Bari.", ["Ana took a pic in Bari."]),
        (
            "I rowed to Bari. It was a race for all crews along the coast.",
            ["Ana rowed to Bari. It was a race for all crews along the coast."],
        ),
        ("I bought oars. Lots of crews came and danced.", ["Ana bought oars. Lots of crews came and danced."]),
        ("When you row, your worries are gone.", []),
        ("Don't be afraid of the sea!", []),
        ("Gonna be a great night.", []),
        ("What a day in the harbour!", []),
        ("Those are our dreams, and our lives.", []),
        ("In Bari, with my crew.", []),
    ],
)
def test_a_statement_is_whole_or_left_out(said: str, kept: list[str]) -> None:
    assert texts(Said(said), BEN) == [*kept, "Ben runs a bakery in Graz."]


def test_an_answer_stands_behind_the_question_that_it_answers() -> None:
    asked = Said("Are you from Oslo? How old is your boat?", name="Ben")

    assert texts(asked, Said("Nine years, I think. My aunt was from Bari.")) == [
        'Asked "How old is Ana\'s boat?", Ana said: Nine years, Ana thinks.',
        "Ana's aunt was from Bari.",
    ]


@pytest.mark.parametrize(
    "said",
    [
        "Books can inspire us and help us dream.",
        "Winning gives you a boost and makes you go on.",
        "Together we can make a difference in our town.",
        "Let's work hard for our harbour.",
        "If we stand together we can tackle anything.",
        "It's like a holiday for your mind.",
        "It's nice if it goes with something you like.",
        "Little steps matter, they build our strength.",
        "Tough times are easier with friends we can rely on.",
    ],
)
def test_what_we_and_people_do_in_general_is_no_statement(said: str) -> None:
    assert texts(Said(said), BEN) == ["Ben runs a bakery in Graz."]


@pytest.mark.parametrize(
    "said",
    [
        "We have to sell the boat in Bari.",
        "Our kids love the boat.",
        "Let's meet at the harbour on Sunday.",
        "Winning the regatta gave us a boost.",
    ],
)
def test_what_some_do_is_a_statement(said: str) -> None:
    assert len(texts(Said(said), BEN)) == 2
