"""The diff of two texts in the review: what it marks, and that no two texts of agents make it slow."""

from __future__ import annotations

import time

import pytest

from core.text.word_diff import MAX_WORDS, compare_words


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("The shop opens at 7.", "The shop opens at 8.", "The shop opens at -7+8."),
        ("The shop is closed.", "The  SHOP is closed.", "The  SHOP is closed."),
        ("The shop is open.", "The shop is open, Mo to Fr.", "The shop is open+, Mo to Fr."),
        ("Nothing of this", "is shared with that one", ""),
    ],
)
def test_what_is_marked(old: str, new: str, expected: str) -> None:
    signs = {"": "", "added": "+", "removed": "-"}
    assert "".join(signs[part.mark] + part.text for part in compare_words(old, new)) == expected


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("a x " * 200, "a y " * 200),
        ("a" + " x a" * 200, "y a " * 200),
        (".x" * 8_000, ".y" * 8_000),
        ("a b c d " * 4_000, "b a d c " * 4_000),
        (f"a{' ' * 15_998}b", f"a{' ' * 15_998}"),
    ],
)
def test_no_two_texts_take_long(old: str, new: str) -> None:
    started = time.thread_time()

    compare_words(old, new)

    assert time.thread_time() - started < 0.5


def test_long_texts_of_many_words_are_compared() -> None:
    words = ["the" if number % 8 == 0 else f"word{number % 150}" for number in range(MAX_WORDS)]
    parts = compare_words(" ".join(words), " ".join([*words[:20], "new", *words[20:]]))
    assert [part.text for part in parts if part.mark == "added"] == ["new "]
