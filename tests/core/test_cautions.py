"""Which questions ask for what not to say, to whom, and what they are searched with."""

from __future__ import annotations

import pytest

from core.english.answer_shapes import answer_shape
from core.english.cautions import read_caution
from core.english.question_topics import search_text


@pytest.mark.parametrize(("question", "who", "topic"), [
    ("What should I not say to Mara about food?", "Mara", "food"),
    ("What should I never tell Ben about his oven?", "Ben", "his oven"),
    ("What shouldn't I bring up with Mara?", "Mara", ""),
    ("What topics should we avoid mentioning to Ben?", "Ben", ""),
    ("what must I not joke about with Ida", "Ida", ""),
    ("What can I never say around my mother?", "my mother", ""),
])  # fmt: skip
def test_what_not_to_say(question: str, who: str, topic: str) -> None:
    found = read_caution(question)

    assert found is not None
    assert (found.who, found.topic) == (who, topic)
    assert search_text(question).startswith(f"{who}: {topic}")
    assert not answer_shape(question).is_request


@pytest.mark.parametrize("question", [
    "What should I say to Ben?",
    "What should I tell Ben about the oven?",
    "What did Mara not say to Ben?",
    "What should I not bake?",
    "Should I tell Ben about the oven?",
    "",
])  # fmt: skip
def test_another_question(question: str) -> None:
    assert read_caution(question) is None
