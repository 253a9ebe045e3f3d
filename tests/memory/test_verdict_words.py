"""What toasts of Review say: the verdict and its subject, in one line that nothing in the subject can turn."""

from __future__ import annotations

import pytest

from memory.memories.review.item_kinds import ASK, VerdictKind
from memory.memories.review.verdict_words import SENTENCES, quote_subject, verdict_sentence

LONG = "The Lindqvist café prefers deliveries through the side entrance, before six o'clock."
ID = "01a21ec9-a367-74ec-a4fd-2cef43eed948"


@pytest.mark.parametrize(
    ("verdict", "text", "sentence"),
    [
        ("keep", "Ana prefers tea.", "Kept “Ana prefers tea”."),
        ("fact", "Ana prefers tea.", "Made “Ana prefers tea” a fact."),
        ("forget", LONG, "Forgot “The Lindqvist café prefers deliveries through the side…”."),
        ("apart", "Astoria / Ast.", "Kept apart: “Astoria / Ast”."),
        ("suppress", "<b>Tea</b> & coffee", "Suppressed “<b>Tea</b> & coffee”."),
        ("keep", "One.\n\nTwo\u202e three\u2066.", "Kept “One. Two three”."),
        ("keep", f"Tea [mem:{ID}] is hot.", "Kept “Tea is hot”."),
        ("merge", "", "Merged it."),
        ("of another release", "Tea.", "Decided: “Tea”."),
    ],
)
def test_a_verdict_in_a_sentence(verdict: str, text: str, sentence: str) -> None:
    assert verdict_sentence(verdict, text) == sentence


def test_every_verdict_has_a_sentence() -> None:
    assert set(SENTENCES) == {*map(str, VerdictKind), ASK}


def test_a_text_without_spaces_is_cut_as_well() -> None:
    assert len(quote_subject("x" * 16_000)) == 62
