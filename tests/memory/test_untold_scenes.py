"""What happened at an occasion is told with the occasion, or with the question, or not at all."""

from __future__ import annotations

import pytest

from tests.memory.test_statement_rules import Said, texts


@pytest.mark.parametrize(
    ("before", "said", "kept"),
    [
        (  # the sentence before is whole, but too long to go together
            "What did you do?",
            "Last Saturday I rowed to the island of Elba with eleven people of the club, three of them for the first "
            "time and all of them in the old green boat. We swam and sang and ate far too much.",
            'About "On Saturday, 3 June 2023 Ana rowed to the island of Elba with eleven people of the club": '
            "Ana and others swam and sang and ate far too much.",
        ),
        (
            "What drew you to the regatta?",
            "I wanted to feel the wind and to hear the drums.",
            'Asked "What drew Ana to the regatta?", Ana said: Ana wanted to feel the wind and to hear the drums.',
        ),
        (
            "Did you find anything strange during your trip?",
            "Yes, the people slept until noon.",
            'Asked "Did Ana find anything strange during their trip?", Ana said: Yes. The people slept until noon.',
        ),
    ],
)
def test_what_happened_is_told_with_its_occasion(before: str, said: str, kept: str) -> None:
    assert kept in texts(Said(before, name="Ben"), Said(said))


@pytest.mark.parametrize(
    ("before", "said"),
    [
        ("What was the best of it?", "I loved just lying in the sun and doing nothing."),
        ("What's the photo about?", "It reminds me of when I had a doll like this."),
        ("It's late.", "I do - Kim, my turtle."),
        ("Any news?", "I'm exploring some exciting new places too!"),
    ],
)
def test_without_its_occasion_it_is_left_out(before: str, said: str) -> None:
    assert texts(Said(before, name="Ben"), Said(said)) == []


@pytest.mark.parametrize("said", ["I planted roses.", "I baked rye bread.", "I felt dizzy at work."])
def test_a_message_that_only_tells_what_happened_is_whole(said: str) -> None:
    assert texts(Said("The mill is closed.", name="Ben"), Said(said))[-1] == said.replace("I ", "Ana ")


def test_one_thing_more_goes_with_what_it_is_more_of() -> None:
    assert texts(Said("I play the harp in a band. We even won a prize.")) == [
        "Ana plays the harp in a band. Ana and others even won a prize."
    ]


def test_a_clause_keeps_its_condition() -> None:
    assert texts(Said("That's life, but when I sleep well, I'm able to row for six hours.")) == [
        "When Ana sleeps well, they are able to row for six hours."
    ]


def test_the_next_morning_is_the_one_after_the_day_that_was_told() -> None:
    assert texts(Said("We sailed to Bari last Friday. The next morning I sold my boat.")) == [
        "Ana and others sailed to Bari on Friday, 2 June 2023. On the morning of 3 June 2023 Ana sold their boat."
    ]


@pytest.mark.parametrize(
    ("asked", "known"),
    [
        ("My bread is always flat, I bake it in a cast-iron pot. Can you offer some guidance?", "bread"),
        ("I get the error E1042 on my oven. Can you help me figure out what's going on?", "E1042"),
    ],
)
def test_advice_says_what_it_was_asked_about(asked: str, known: str) -> None:
    advice = "## Steps\n\n1. **Heat**: Heat the Ankarsrum oven to 250 °C for 45 minutes.\n2. **Wait**: Wait.\n"

    told = texts(Said(asked, name=""), Said(advice, name="", role="assistant"))[-1]

    assert known in told
    assert "guidance" not in told


def test_parts_of_a_draft_are_no_statement() -> None:
    draft = "Introduction:\n- Bread is old\n- Bread is everywhere\n"

    assert texts(Said(draft, name=""), Said("Nice.", name="", role="assistant")) == []
