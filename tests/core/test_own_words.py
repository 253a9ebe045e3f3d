"""What a message only quotes is not its writer's own."""

from __future__ import annotations

import time

import pytest

from core.english.own_words import own_words


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("Anna: I prefer tea.\nBen: I live in Rome.", ""),
        ("Look:\n[10:21] Anna: I prefer tea.\n[10:22] Anna: I live in Rome.", "Look:"),
        ("Anna Smith (10:21): I prefer tea.\nBen (10:22): I live in Rome.\nI agree.", "I agree."),
        ("> I prefer tea.\n\nI agree.", "\nI agree."),
        ("On Monday Anna wrote:\n> I live in Rome.\nI agree.", "I agree."),
        ("Translate this:\nI live in Rome.", "Translate this:"),
        ("Could you please proofread this for me:\n\nI am a nurse.", "Could you please proofread this for me:"),
        ("```\nI live in Rome.\n```\nI am Bo.", "I am Bo."),
        ("```\nI live in Rome.", ""),
    ],
)
def test_what_others_say_is_left_out(text: str, own: str) -> None:
    assert own_words(text) == own


@pytest.mark.parametrize(
    "text",
    [
        "I live in Rome.\nI love it.",
        "Monday: I swim.\nTuesday: I run.",
        "Note: I moved.\nPS: I paid.",
        "Name: Bo\nJob: I am a nurse.",
        "Anna: I prefer tea.",
        "Anna: allergic to nuts.\nBen: vegan.",
        "5 > 3, and I live in Rome.",
        "Please correct me.\nI live in Rome.",
        "",
    ],
)
def test_own_words_stay(text: str) -> None:
    assert own_words(text) == text


@pytest.mark.parametrize(
    "piece", [" ", "A A A: x\n", "> \n", "```\n", "Translate ", "A", "[1:1 ", "12:12 ", "on ", "please "]
)
def test_long_messages_take_little(piece: str) -> None:
    begin = time.perf_counter()
    own_words((piece * 100_000)[:100_000] + "\nx")
    assert time.perf_counter() - begin < 1
