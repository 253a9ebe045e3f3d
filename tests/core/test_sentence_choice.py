"""Which sentences of a long answer are quoted, by the words of a query."""

from __future__ import annotations

import pytest

from core.english.lexemes import lexemes
from core.english.sentence_choice import choose_sentences, sentence_spans, word_pattern

ANSWER = """Great question! Here is how to care for an oven.

### Heating
Heat the stones slowly. Use larch, which burns evenly.
### Cleaning
1. Wait for a day.
2. Sweep the ashes with a broom of birch.
Happy baking, and tell me how it goes!"""


@pytest.mark.parametrize(("query", "characters", "chosen"), [
    ("Which wood burns evenly?", 40, ["Use larch, which burns evenly."]),
    # What a heading names stands behind it.
    ("What did you say about cleaning?", 40, ["### Cleaning", "1. Wait for a day."]),
    ("Who is happy?", 50, ["Happy baking, and tell me how it goes!"]),
    # In the order of the text.
    ("broom or larch?", 90, ["Use larch, which burns evenly.", "2. Sweep the ashes with a broom of birch."]),
    ("stones and larch?", 60, ["Heat the stones slowly.", "Use larch, which burns evenly."]),
    # The one that is rarest counts most; the first comes in whole, however long it is.
    ("How do I sweep an oven?", 10, ["Here is how to care for an oven."]),
    ("Where is Quorlith?", 90, []),
])  # fmt: skip
def test_sentences_with_words_of_the_query(query: str, characters: int, chosen: list[str]) -> None:
    words = word_pattern(lexemes(query))

    assert words is not None
    assert [ANSWER[begin:end] for begin, end in choose_sentences(ANSWER, words, characters=characters)] == chosen


def test_a_line_without_a_word_is_no_sentence() -> None:
    answer = "Here is the larch.\n```\nOak.\n"
    words = word_pattern(["larch"])

    assert words is not None
    assert [answer[begin:end] for begin, end in choose_sentences(answer, words, characters=90)] == [
        "Here is the larch.",
        "Oak.",
    ]


def test_words_that_say_nothing_find_nothing() -> None:
    assert word_pattern(lexemes("Is it so?")) is None


@pytest.mark.parametrize(
    "text", ["", " \n ", "One. Two!  Three? \n\n  Four", "a\u2028b\r\nc", "e.g. Dr. No. 5 is one."]
)
def test_spans_are_the_sentences(text: str) -> None:
    spans = list(sentence_spans(text))

    assert all(text[begin:end].strip() == text[begin:end] for begin, end in spans)
    assert "".join("".join(text[begin:end] for begin, end in spans).split()) == "".join(text.split())
