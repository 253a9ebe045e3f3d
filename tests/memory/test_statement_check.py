"""What a model may not add to a statement, and what is cut off a sentence before one is drawn."""

from __future__ import annotations

import pytest

from core.english.message_markup import plain
from memory.episodes.statement_check import says_no_more
from tests.memory.test_statement_rules import Said


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
