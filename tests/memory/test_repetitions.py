"""Sentences that say again what a suppressed memory says."""

from __future__ import annotations

import pytest

from memory.memories.sources.repetitions import Unsaid, cut_spans

UNSAID = Unsaid.of(
    [
        "The user lives in Karlsruhe.",
        "The user is vegan.",
        "The oven of the bakery costs 5,000 euros a month.",
        "Anna went to Köln.",
        "我住在柏林",
        "",
        "😀",
    ]
)


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Hi. So you live in Karlsruhe, the fan city! Fine.", "Hi. Fine."),
        ("Living in Karlsruhe is fun.", ""),
        ("I am vegan.", ""),
        ("The bakery's oven costs 5,000 euros per month.", ""),
        ("anna went to köln", ""),
        ("Anna went to Koln.", ""),
        ("我住在柏林", ""),
        ("Two  spaces. \t I  live  in\u00a0Karlsruhe. More  of it.", "Two  spaces. More  of it."),
        ("Live in  Karlsruhe. Live in Karlsruhe.", ""),
        ('He said Stay."  I live in Karlsruhe.\r\nBye.', 'He said Stay." Bye.'),
    ],
)
def test_they_are_found_in_other_words_around_them(text: str, left: str) -> None:
    assert UNSAID.recognises(text)
    assert cut_spans(text, UNSAID.find_spans(text)) == left


@pytest.mark.parametrize(
    "text",
    [
        "I live in Berlin.",
        "Karlsruhe is nice.",
        "The vegan cake of the harbour shop was sold out early.",
        "The oven of the bakery is cold.",
        "Anna went to Bonn.",
        "",
        "😀",
    ],
)
def test_what_shares_a_part_of_the_words_stays(text: str) -> None:
    assert not UNSAID.recognises(text)
    assert cut_spans(text, UNSAID.find_spans(text)) == text


def test_a_long_text_takes_no_long_time() -> None:
    many = Unsaid.of(f"The user keeps number {number} in the safe of the mill." for number in range(200))

    assert not many.recognises("The user keeps the mill. " * 10_000)
