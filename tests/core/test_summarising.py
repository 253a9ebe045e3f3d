"""Summaries without a model: the telling sentences, in their order, as one paragraph."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.english.extractive_summary import WORTH_KEEPING, extractive_summary, salience


@dataclass(frozen=True)
class Turn:
    """What somebody said."""

    role: str
    content: str
    created_at: datetime | None = None
    name: str = ""


TALK = [
    Turn("user", "Hey! How are you doing today?"),
    Turn("assistant", "Great, thanks for asking! What can I do for you?"),
    Turn("user", "We moved the bakery to Harbour Street in March. It was so exciting!"),
    Turn("assistant", "Wow, that sounds amazing! How is the new place?"),
    Turn("user", "My sister Mara joined us last week, and she bakes 40 loaves of rye bread every morning. Haha, yes."),
    Turn("assistant", "I booked the inspection with Dr. Lindqvist for Friday at 9 a.m. Anything else?"),
    Turn("user", "No, thank you. Bye!"),
]


def test_tells_what_was_said_by_role_and_in_order() -> None:
    assert extractive_summary(TALK, sentences=3) == (
        "user: We moved the bakery to Harbour Street in March. "
        "My sister Mara joined us last week, and she bakes 40 loaves of rye bread every morning. "
        "assistant: I booked the inspection with Dr. Lindqvist for Friday at 9 a.m."
    )


def test_two_people_are_called_by_their_names() -> None:
    talk = [
        Turn("user", "My wife and I moved to Oslo in May.", name="Ana"),
        Turn("user", "I sold my boat in Bari on Friday.", name="Ben Ito"),
        Turn("assistant", "I booked the ferry for 9 June.", name="Assistant"),
    ]

    assert extractive_summary(talk) == (
        "Ana: My wife and I moved to Oslo in May. Ben Ito: I sold my boat in Bari on Friday. "
        "assistant: I booked the ferry for 9 June."
    )


@pytest.mark.parametrize("name", ["assistant", "System", " TOOL "])
def test_no_name_passes_for_a_role(name: str) -> None:
    assert extractive_summary([Turn("user", "I moved to Oslo.", name=name)]) == "user: I moved to Oslo."


def test_what_was_said_again_and_again_is_told_once() -> None:
    talk = [Turn("user", "I moved to Oslo in May. I moved to Oslo in May."), Turn("user", "I moved to Oslo in May.")]

    assert extractive_summary(talk) == "user: I moved to Oslo in May."


def test_yesterday_gets_its_date() -> None:
    said = datetime(2023, 5, 8, tzinfo=UTC)

    summary = extractive_summary([Turn("user", "I painted the harbour yesterday! The office opens at nine", said)])

    assert summary == "user: I painted the harbour yesterday (said on 8 May 2023)! The office opens at nine."


def test_says_nothing_twice() -> None:
    told = [Turn("user", "I moved to Oslo in May 2024."), Turn("user", "In May 2024 I moved to Oslo!")]

    summary = extractive_summary([*told, Turn("user", "The harbour office opens at nine.")], sentences=2)

    assert (summary.count("Oslo"), summary.count("harbour")) == (1, 1)


@pytest.mark.parametrize("turns", [[], [Turn("user", "")], [Turn("user", " \n\t")], [Turn("user", "?!… 🎉")]])
def test_where_nothing_was_said_there_is_no_summary(turns: list[Turn]) -> None:
    assert extractive_summary(turns) == ""


def test_small_talk_is_better_than_nothing() -> None:
    assert (
        extractive_summary([Turn("user", "Hello"), Turn("assistant", "hi there")])
        == "user: Hello. assistant: hi there."
    )


@pytest.mark.parametrize("most", [1, 20, 60, 120, 1_000])
def test_stays_within_its_characters(most: int) -> None:
    summary = extractive_summary(TALK, max_characters=most)

    assert 0 < len(summary) <= most


def test_a_sentence_that_is_too_long_is_cut_rather_than_dropped() -> None:
    summary = extractive_summary([Turn("user", "word " * 1_000)], max_characters=50)

    assert summary.startswith("user: word word")
    assert (summary[-1], len(summary) <= 50) == ("…", True)


def test_is_one_line_whatever_was_pasted() -> None:
    pasted = "Notes:\n\n- The oven is serviced in June\n- 3 sacks of flour are left\n\t* call Mara"

    summary = extractive_summary([Turn("user", pasted)])

    assert summary == "user: Notes: The oven is serviced in June. 3 sacks of flour are left. call Mara."


def test_reads_sentences_of_scripts_without_spaces() -> None:
    assert extractive_summary([Turn("user", "我五月搬到了奥斯陆。办公室九点开门。")], sentences=1).startswith("user: ")


@pytest.mark.parametrize(
    ("telling", "talk"),
    [
        ("I moved to Oslo in May.", "Where did you move?"),
        ("My daughter Ada starts school on 19 August.", "That's so great to hear!"),
        ("The invoice of 4,200 crowns was paid on Tuesday.", "Sure, no problem at all."),
        ("I sold my old boat.", "Seems like forever since we last rowed!"),
        ("I sold my old boat.", "Something exciting happened recently."),
        ("I sold my old boat.", "A lot has been going on since May."),
        ("I sold my old boat.", "I'll make sure to have a safe trip."),
        ("We decided to use PostgreSQL for the archive.", "Let me know if you need anything else."),
    ],
)
def test_what_tells_more_weighs_more(telling: str, talk: str) -> None:
    assert salience(telling) >= WORTH_KEEPING > salience(talk)


@pytest.mark.parametrize(
    "hostile", ["." * 50_000, " " * 50_000, "a" * 50_000, ".' " * 20_000, "A.B." * 12_000, "\n" * 50_000]
)
def test_hostile_text_takes_no_time(hostile: str) -> None:
    began = time.process_time()

    extractive_summary([Turn("user", hostile), Turn("user", "I moved to Oslo in May.")])
    salience(hostile)

    assert time.process_time() - began < 5  # about 0.2; anything quadratic takes minutes


def test_a_very_long_conversation_takes_little() -> None:
    turns = [Turn("user", f"On day {day} I sold {day * 7} loaves at stall {day % 13}. Nice!") for day in range(5_000)]
    began = time.process_time()

    assert extractive_summary(turns)
    assert time.process_time() - began < 5


@given(
    st.lists(st.builds(Turn, st.sampled_from(["user", "assistant"]), st.text(max_size=200)), max_size=12),
    st.integers(0, 9),
)
def test_never_breaks_and_never_invents(turns: list[Turn], sentences: int) -> None:
    summary = extractive_summary(turns, sentences=sentences, max_characters=300)

    assert len(summary) <= 300
    said = " ".join(turn.content for turn in turns)
    assert (
        set(summary.split()) - {"user:", "assistant:"} <= {*said.split(), *(f"{word}." for word in said.split())}
        or "…" in summary
    )
