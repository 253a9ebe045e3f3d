"""What people say in later chats: medicines, refusals, new days, prices, and answers that say little alone."""

from __future__ import annotations

import re

import pytest

from memory.episodes.statement_kinds import StatementKind
from memory.episodes.statement_rules import draw_candidates
from memory.episodes.statement_selection import draw_statements
from tests.memory.chats import Said, between_people, memories, statements


@pytest.mark.parametrize(
    ("said", "memory"),
    [
        (
            "I can't eat anything with sesame in it, I swell up.",
            "The user can't eat anything with sesame, they swell up.",
        ),
        ("My GP, Dr Holm, put me on metformin 500 mg.", "The user's GP, Dr Holm, put them on metformin 500 mg."),
        ("Dr Holm switched me to metformin.", "Dr Holm switched the user to metformin."),
        (
            "I'm off metformin and take gliclazide 30 mg instead.",
            "The user is off metformin and takes gliclazide 30 mg instead.",
        ),
        ("I turned down the job at the mill.", "The user turned down the job at the mill."),
        (
            "I've made up my mind about the lab: I turned it down.",
            "The user has made up their mind about the lab: they turned it down.",
        ),
        ("I don't drink tea after five.", "The user does not drink tea after five."),
        ("I can't stand olives.", "The user can't stand olives."),
        (
            "When you suggest books, keep them short.",
            "The user wants this: When the assistant suggests books, keep them short.",
        ),
        ("Answer me in short sentences, please.", "The user wants this: Answer them in short sentences, please."),
    ],
)
def test_medicines_refusals_and_what_one_avoids_are_proposed(said: str, memory: str) -> None:
    assert memories(said) == [memory]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (["Within a week. I can't eat anything with lupin in it."], ["The user can't eat anything with lupin in it."]),
        (["The mill was full! 143 people came."], ["The user said: The mill was full! 143 people came."]),
        (["The soup. Good idea, I'll get that."], []),
        (["I've got a new stand and listen to music."], ["The user has got a new stand and listens to music."]),
        (["I can swim and have a boat."], ["The user can swim and have a boat."]),
        (["Not at all, I gave up meat."], ["The user gave up meat."]),
        (
            ["The heater is at 410 hours.", "For the winter I've rented a shed in Ulm."],
            ["The user said: The heater is at 410 hours.", "For the winter the user has rented a shed in Ulm."],
        ),
    ],
)
def test_a_sentence_says_all_that_it_needs(said: list[str], told: list[str]) -> None:
    assert [each for each in statements(*said) if "Within a week" not in each] == told


def test_what_is_said_once_with_a_number_is_kept() -> None:
    said = [
        "My van is a 1990 Barkas, her name is Lotte, and she lives in my uncle's shed in Divin.",
        "Lotte failed her check in Kranj, the brakes are worn. The repair costs 710 euros.",
        "The generator at the back coughed all evening long, it needs a new filter from the shop in Koper.",
        "KX41.",
        "I quoted the school in Piran 900 euros for the three evenings in May.",
        "It does, the fair got pushed back to 11 December.",
    ]
    asked = [
        "A lovely name for a van, she sounds like an old friend of the family.",
        "That is a lot of money for brakes, but a van has to stop where it should.",
        "Which type?",
        "I have noted the type of the filter, and will ask for it when you are in that town again.",
        "Does the fair move too?",
        "Fine, I will go by that day.",
    ]
    talk = [each for pair in zip(said, asked, strict=True) for each in (Said(pair[0]), Said(pair[1], "assistant"))]
    kept = " ".join(each.text for each in draw_statements(talk))

    assert all(each in kept for each in ("1990", "710", "KX41", "900", "11 December"))


def test_how_answers_are_wanted_is_an_instruction() -> None:
    talk = [Said("Answer me in short sentences, please."), Said("Noted.", "assistant")]

    assert [each.kind for each in draw_candidates(talk)] == [StatementKind.INSTRUCTION]


@pytest.mark.parametrize(
    ("question", "said", "statement"),
    [
        (
            "So the shop is closed?",
            "No, my son helps.",
            'Asked "The shop is closed?", the user said: No. The user\'s son',
        ),
        ("Shall I keep a list?", "Yes, by colour.", "the user said: Yes. By colour."),
        (
            "Is that what you still expect to be paid?",
            "For now, yes.",
            'expects to be paid?", the user said: For now, yes',
        ),
        ("Is that right?", "For now, yes.", ""),
    ],
)
def test_an_answer_says_yes_or_no_behind_its_question(question: str, said: str, statement: str) -> None:
    talk = [Said("I sell hats."), Said(question, "assistant"), Said(said), Said("Noted.", "assistant")]
    told = [each.text for each in draw_candidates(talk) if each.source == 2]

    assert statement in "".join(told)
    assert bool(statement) == bool(told)


@pytest.mark.parametrize(
    "said",
    [
        ["Did you get the ladder?", "Right, you told me. How is the hen?", "Her wing broke. Ida glued it with resin."],
        ["We had tea.", "Is she fine?", "Like a horse."],
        ["Ida can't come in May.", "Lovely. She'd sing in June.", "Tell her the cellar's damp."],
    ],
)
def test_what_nothing_names_between_people_is_left_out(said: list[str]) -> None:
    assert not re.search("glued|horse|told|Tell her", "".join(between_people(*said)))
