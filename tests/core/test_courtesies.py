"""Which messages greet, thank or part, and say nothing else."""

from __future__ import annotations

import time

import pytest

from core.english.courtesies import is_mere_greeting, strip_courtesies


@pytest.mark.parametrize("text", [
    "Hey Mara! Good to see you! How have you been?",
    "Hi there.",
    "Good morning, Ben! Long time no see. What's up?",
    "Thanks! Talk to you later!",
    "Thank you so much, Mara. Take care!",
    "No problem, see you soon.",
    "Hello again! How's everything going lately? Hope all is well.",
    "You're welcome! Have a great weekend, Ben!",
])  # fmt: skip
def test_courtesies(text: str) -> None:
    assert strip_courtesies(text) == ""
    assert is_mere_greeting(text, opens_session=False)


@pytest.mark.parametrize(("text", "left"), [
    ("Hey Mara! I sold the mill.", "I sold the mill."),
    ("Thanks for the rye, it rose well.", "Thanks for the rye, it rose well."),
    ("How is the oven?", "How is the oven?"),
    ("Yes.", "Yes."),
    ("See you at the mill on Friday.", "See you at the mill on Friday."),
])  # fmt: skip
def test_what_else_is_said_stays(text: str, left: str) -> None:
    assert strip_courtesies(text) == left
    assert not is_mere_greeting(text, opens_session=False)


@pytest.mark.parametrize(("text", "is_mere"), [
    ("Hi Ben! How was the market?", True),  # asks alone
    ("Hey Mara! What a day.", True),
    ("Hey Mara! The mason came on Friday, took the old oven away and left me with a hole in the wall.", False),
    ("Hey Mara! " + "I sold the mill and moved to Voss. " * 9, False),
])  # fmt: skip
def test_a_session_opens_with_a_greeting_that_hardly_says_anything(text: str, is_mere: bool) -> None:
    assert is_mere_greeting(text, opens_session=True) is is_mere


def test_no_text_takes_long() -> None:
    begun = time.process_time()

    is_mere_greeting("thanks so much again " * 12, opens_session=True)
    is_mere_greeting("hey " * 60, opens_session=True)

    assert time.process_time() - begun < 0.5
