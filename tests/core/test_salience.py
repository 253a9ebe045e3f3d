"""How much a sentence tells, by rules: statements more than talk."""

from __future__ import annotations

import time

import pytest

from core.english.salience import WORTH_KEEPING, salience


@pytest.mark.parametrize(
    ("telling", "talk"),
    [
        ("I moved to Oslo in May.", "Where did you move?"),
        ("My daughter Ada starts school on 19 August.", "That's so great to hear!"),
        ("The invoice of 4,200 crowns was paid on Tuesday.", "Sure, no problem at all."),
        ("I sold my old boat.", "Seems like forever since we last rowed!"),
        ("I sold my old boat.", "Something exciting happened recently."),
        ("I sold my old boat.", "A lot has been going on since May."),
        ("I sold my old boat.", "I'll make sure to have a safe trip."),
        ("We decided to use PostgreSQL for the archive.", "Let me know if you need anything else."),
    ],
)
def test_what_tells_more_weighs_more(telling: str, talk: str) -> None:
    assert salience(telling) >= WORTH_KEEPING > salience(talk)


@pytest.mark.parametrize(
    "hostile", ["." * 50_000, " " * 50_000, "a" * 50_000, ".' " * 20_000, "A.B." * 12_000, "\n" * 50_000]
)
def test_hostile_text_takes_no_time(hostile: str) -> None:
    began = time.process_time()

    salience(hostile)

    assert time.process_time() - began < 5  # about 0.2; anything quadratic takes minutes
