"""Which questions ask for the conversation before this one as a whole, and whose."""

from __future__ import annotations

import pytest

from core.english.previous_talks import previous_talk


@pytest.mark.parametrize(("question", "speakers"), [
    ("What did we talk about last time?", ()),
    ("what did we talk about last time", ()),
    ("What did we discuss in our last conversation?", ()),
    ("What have we talked about in the previous session?", ()),
    ("What did you and I say to each other last time?", ()),
    ("Hi! What did we last talk about?", ()),
    ("What was our last conversation about?", ()),
    ("What's our most recent chat about?", ()),
    ("What were we talking about?", ()),
    ("Where did we leave off?", ()),
    ("Where were we?", ()),
    ("OK, where did I leave things last time?", ()),
    ("Can you remind me what we talked about last time?", ()),
    ("Do you remember what we discussed the last time we spoke?", ()),
    ("I forgot where we left off.", ()),
    ("Let's continue where we left off.", ()),
    ("Can we pick up where we left off last time?", ()),
    ("Last time we talked, what did we discuss?", ()),
    ("What happened in our last session?", ()),
    ("Please summarise our last conversation.", ()),
    ("Can you give me a quick recap of our previous chat?", ()),
    ("Recap last time, please.", ()),
    ("What did Mara and Ben talk about last time?", ("Mara", "Ben")),
    ("What did Mara and Ben last talk about?", ("Mara", "Ben")),
    ("What did Mara and I talk about the last time we met?", ("Mara",)),
    ("What was the last conversation between Mara and Ben about?", ("Mara", "Ben")),
    ("Summarize the last chat of Mara and Ben", ("Mara", "Ben")),
])  # fmt: skip
def test_the_last_conversation_as_a_whole(question: str, speakers: tuple[str, ...]) -> None:
    found = previous_talk(question)

    assert found is not None
    assert set(found.speakers) == set(speakers)


@pytest.mark.parametrize("question", [
    "What did we say about the oven last time?",
    "When did Mara and Ben last talk about the rye?",
    "When did we last talk?",
    "What was the last thing that Mara baked?",
    "What did Mara do last summer?",
    "What did Mara do last time she was in Oslo?",
    "What did we decide?",
    "What have we talked about so far?",
    "Summarise our conversations.",
    "Where did Mara leave her keys?",
    "Where did we leave the trailer last time?",
    "Where were we in May?",
    "Where were we when the oven broke?",
    "What does Ben say?",
    "What did Ben say?",
    "What is the last conversation in the film about?",
    "Continue the list where it says flour.",
    "Last time, the rye was too dark. What can I do?",
    "",
])  # fmt: skip
def test_another_question(question: str) -> None:
    assert previous_talk(question) is None
