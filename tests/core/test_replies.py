"""Which sentence of a message asks, and which reply is not understood without it."""

from __future__ import annotations

import pytest

from core.english.replies import closing_question, last_question, leans_on_question


@pytest.mark.parametrize(("text", "closing", "last"), [
    ("The oven came. Which flour is left?", "Which flour is left?", "Which flour is left?"),
    ("Which flour is left? I forgot to look.", "", "Which flour is left?"),
    ("Which flour is left? 😊 [shows a photo: a shelf]", "Which flour is left?", "Which flour is left?"),
    ("What about you, do you bake?", "What about you, do you bake?", "What about you, do you bake?"),
    ("I bake rye. How about you?", "", ""),
    ("Hey Mara! How are you doing these days?", "", ""),
    ("Do you bake? How about you, Ben?", "", "Do you bake?"),
    ("So, what's new?", "", ""),
    ("The oven broke again. What can you do, right?", "", ""),
    ("The oven came.", "", ""),
    ("?!", "", ""),
    ("", "", ""),
])  # fmt: skip
def test_what_a_message_asks(text: str, closing: str, last: str) -> None:
    assert (closing_question(text), last_question(text)) == (closing, last)


@pytest.mark.parametrize(("text", "leans"), [
    ("Behind the mill.", True),
    ("Yep, I read that book twice before the winter came and the river froze.", True),
    ("They're great friends, and we meet at the mill on every other Sunday.", True),
    ("Thanks, Ben! It was a long way down to the river with both of the dogs.", True),
    ("No, I didn't, but the mill has sold it since the beginning of the year.", True),
    ("Not yet, since the mill was closed for all of the week before last.", True),
    ("I read the book about the mill twice before the winter came and the river froze.", False),
    ("Nothing of what the mill has sold since the beginning of the year was rye.", False),
    ("Italy is where the mill has bought all of its wheat since the flood.", False),
])  # fmt: skip
def test_a_reply_that_is_short_or_points_back_leans_on_its_question(text: str, leans: bool) -> None:
    assert leans_on_question(text) is leans
