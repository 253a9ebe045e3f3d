"""What looks like a mark in a stored text is defused, in whatever brackets and spelling; other texts stay."""

from __future__ import annotations

import pytest

from core.text.prompt_sanitiser import flatten


@pytest.mark.parametrize(
    "brackets", ["⌈⌉", "⌊⌋", "⎡⎤", "⌜⌝", "⸢⸣", "﴾﴿", "﴿﴾", "᚛᚜", "༺༻", "⟬⟭", "⧘⧙", "｢｣", "「」", "『』", "«»", "❮❯"]
)
def test_a_mark_in_any_brackets_is_defused(brackets: str) -> None:
    opening, closing = brackets[0], brackets[1]

    assert flatten(f"As {opening}mem:3{closing} says") == "As (mem:3) says"
    assert flatten(f"As {opening}tea{closing} says") == f"As {opening}tea{closing} says"


@pytest.mark.parametrize(
    "mark",
    ["[mem%3A3]", "%5Bmem:3%5D", "%5bmem%3a3%5d", "%255Bmem:3%255D", "\\u005bmem:3\\u005d", "\\x5Bmem\\x3a3\\x5D"],
)
def test_a_mark_that_escapes_spell_is_defused(mark: str) -> None:
    assert flatten(f"As {mark} says") == "As (mem:3) says"


@pytest.mark.parametrize("text", ["100%", "50%25 of %5Btea%5D", "C:\\users\\u005b", "a%20b &amp; c", "%%%5B", "\\" * 9])
def test_other_escapes_are_kept(text: str) -> None:
    assert flatten(text) == text
