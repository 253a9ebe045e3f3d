"""Counting and cutting by tokens."""

from __future__ import annotations

from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.tokens import LONG, count_tokens, trim_to_tokens

any_text = st.text(st.characters(exclude_categories=()), max_size=60)


# Counts of o200k_base as its publisher's own library gives them.
@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("hello world", 2),
        ("antidisestablishmentarianism", 6),
        ("2 + 2 = 4", 7),
        ("お誕生日おめでとう", 8),
        ("<|endoftext|>", 7),
    ],
)
def test_tokens_are_counted_as_o200k_does(text: str, tokens: int) -> None:
    assert count_tokens(text) == tokens


def test_long_texts_are_counted_as_o200k_does_however_often() -> None:
    counted = [count_tokens(word * LONG) for _ in range(2) for word in (" hello", " 7")]

    assert counted == [LONG, 2 * LONG] * 2


def test_the_count_of_a_long_text_is_remembered() -> None:
    text = " heron" * LONG
    counted = count_tokens(text)

    with patch("core.text.tokens._tokenizer", side_effect=AssertionError("counted again")):
        assert count_tokens(text) == counted


@given(any_text, st.integers(min_value=-1, max_value=80))
def test_a_trimmed_text_is_a_beginning_within_the_limit(text: str, limit: int) -> None:
    trimmed = trim_to_tokens(text, limit=limit)
    assert text.encode("utf-8", "replace").decode().startswith(trimmed)
    assert count_tokens(trimmed) <= max(limit, 0)


@given(any_text)
def test_a_text_within_the_limit_stays_whole(text: str) -> None:
    assert trim_to_tokens(text, limit=count_tokens(text)) == text.encode("utf-8", "replace").decode()


@pytest.mark.parametrize(
    ("text", "limit", "expected"),
    [
        ("Alice likes green tea", 2, "Alice likes"),
        ("Alice likes green tea", 0, ""),
        ("tea 👩‍🔬", 2, "tea"),
        ("a" * 100, 1, "a" * 8),
    ],
)
def test_text_is_cut_between_tokens_and_never_inside_a_character(text: str, limit: int, expected: str) -> None:
    assert trim_to_tokens(text, limit=limit) == expected


def test_a_million_characters_are_no_obstacle() -> None:
    text = "Alice likes green tea. " * 50_000
    assert count_tokens(text) > 250_000
    assert count_tokens(trim_to_tokens(text, limit=1_000)) == 1_000
