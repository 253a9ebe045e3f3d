"""Statements that point at what was said before say at what, or are worth less."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

import pytest

from core.english.salience import salience
from memory.episodes.statement_rules import draw_candidates

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


@pytest.mark.parametrize(
    ("before", "said", "kept"),
    [
        (
            "I spent the whole of May in Lisbon with my sister.",
            "We had a wonderful time there last month.",
            "Ana and others had a wonderful time there (Lisbon) in May 2023.",
        ),
        (
            "My friend Cindy runs the shelter.",
            "I often see her in Graz.",
            "Ana often sees her (Ben's friend Cindy) in Graz.",
        ),
        (
            "I found an app that names every star.",
            "I have used that app on my phone for years.",
            'About "Ben found an app that names every star": Ana has used that app on their phone for years.',
        ),
        (
            "My cousin carved a chess set out of old oak.",
            "I would love to own them one day.",
            'About "Ben\'s cousin carved a chess set out of old oak": Ana would love to own them one day.',
        ),
        (
            "I saw the large map of the moon in your hall. What's on it?",
            "The names of all craters.",
            'About "Ben saw the large map of the moon in Ana\'s hall", asked "What\'s on it?", '
            "Ana said: The names of all craters.",
        ),
    ],
)
def test_what_points_back_says_at_what(before: str, said: str, kept: str) -> None:
    assert kept in texts(Said(before, name="Ben"), Said(said))


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("Where did you get them?", "At the market in Graz."),
        ("Do they teach sailing?", "They teach rowing and sailing."),
        ("Where is the ham from? And where should we go in May?", "It was a present of the baker."),
    ],
)
def test_an_answer_is_not_behind_a_question_about_what_nothing_names(asked: str, said: str) -> None:
    assert not any("sked" in each for each in texts(Said(asked, name="Ben"), Said(said)))


def test_a_place_that_a_question_of_the_speaker_names_is_known() -> None:
    assert texts(Said("Have you been to Bari? I sold my boat there in May.")) == [
        "Ana sold their boat there (Bari) in May."
    ]


def test_where_nothing_says_what_it_is_there_is_no_statement() -> None:
    assert texts(Said("I have used that app on my phone for years.")) == []
    assert texts(Said("I have used the app on my phone for years.")) != []


@pytest.mark.parametrize(
    "said",
    [
        "There is a bakery in Graz.",
        "I made it to the top of Etna.",
        "One of the reasons for my move was a quiet harbour.",
        "My crew was there for me all year.",
    ],
)
def test_words_that_stand_for_nothing_need_no_topic(said: str) -> None:
    (drawn,) = draw_candidates([Said(said)])

    assert not drawn.text.startswith("About")
    assert drawn.worth >= salience(said) - 0.4


def test_a_user_tells_an_assistant_what_them_stands_for() -> None:
    told = "I have two old boats in the harbour of Bari which I once bought from a skipper and her son."
    said = Said(f"{told} I will probably sell them both before the end of the year.", name="")

    assert texts(said, Said("Certainly!", name="", role="assistant"))[-1] == (
        "The user has two old boats in the harbour of Bari which the user once bought from a skipper and her son. "
        "The user will probably sell them both before the end of the year."
    )


def test_a_picture_is_known_by_any_of_its_names() -> None:
    shown = Said("Remember my photo from the regatta in Bari?", name="Ben")

    assert texts(shown, Said("I don't remember where we took this picture."))[-1] == (
        'About "Remember Ben\'s photo from the regatta in Bari": Ana does not remember where Ana and others took '
        "this picture."
    )
