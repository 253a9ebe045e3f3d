"""Summaries without a model: what was said, retold in the third person, and no message as it was said."""

from __future__ import annotations

import time
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.transcripts import TranscriptLine
from memory.episodes.retold_summary import MAX_CHARACTERS, retold_summary

MAY = datetime(2026, 5, 4, 9, tzinfo=UTC)
CARD = "4111 1111 1111 1111"


def summary_of(*said: tuple[str, str]) -> str:
    return retold_summary([TranscriptLine(role, "", content, MAY) for role, content in said])


def test_says_who_spoke_when_and_what_was_said() -> None:
    assert summary_of(
        ("user", "I moved to Oslo in May."),
        ("tool", '{"city": "Oslo", "balance": 17}'),
        ("assistant", "The ferry is booked for Friday."),
    ) == (
        "The user and the assistant exchanged 2 messages on 4 May 2026, with 1 message of tools or the system. "
        "The user moved to Oslo in May. The assistant said that the ferry is booked for Friday."
    )


@pytest.mark.parametrize("message", [
    "The oven runs at 230 degrees.",
    "Order 7 of the Silver Ridge lodge was late.",
    "Order 7 of the Silver Ridge lodge was late",
    "Rex is a dog of seven years.",
    "Ich wohne in Graz und mag Tee.",
    "hello there",
    "We are all in Rome! It is hot there.",
])  # fmt: skip
@pytest.mark.parametrize("role", ["user", "assistant", "tool", "system"])
def test_no_message_stands_in_it_as_it_was_said(role: str, message: str) -> None:
    found = summary_of((role, message), ("user", "I have a boat called Nordlys."), (role, message))

    assert message not in found
    assert "The user has a boat called Nordlys." in found


def test_no_address_and_no_number_of_a_card_stands_in_it() -> None:
    found = summary_of(
        ("user", "My e-mail address is ana.lund+x@mail.example.com, and I work in Bergen."),
        ("user", f"I paid with the card {CARD} in May."),
        ("assistant", "Write to mailto:desk@example.com for the refund of 40 euros."),
    )

    assert "@" not in found
    assert "(e-mail address)" in found
    assert CARD not in found


@pytest.mark.parametrize("before", ["", "Look here. "])
def test_no_key_stands_in_it_even_with_a_capital(before: str) -> None:
    key = f"sk-proj-{'a1B2c3D4' * 5}"

    found = summary_of(("user", f"{before}{key} is what I use in Bergen."), ("user", "I have a boat called Nordlys."))

    assert key.casefold() not in found.casefold()
    assert "The user has a boat called Nordlys." in found


@pytest.mark.parametrize("word", ["I ", "you ", "and I ", "last monday ", "we ", "my friends and I "])
def test_one_endless_sentence_costs_little(word: str) -> None:
    begun = time.process_time()

    summary_of(("user", word * 10_000), ("user", word * 10_000))

    assert time.process_time() - begun < 5


def test_without_a_statement_the_words_that_came_most_often_are_told() -> None:
    found = summary_of(("user", "Glaze, glaze?"), ("assistant", "What glaze?"), ("user", "Kiln?"))

    assert found == "The user and the assistant exchanged 3 messages on 4 May 2026, about glaze."


def test_what_was_said_once_stands_next_to_what_was_said_often() -> None:
    often = [("user", f"I moved the workshop {each} to the harbour hall on day {each + 2}.") for each in range(12)]

    found = summary_of(*often[:6], ("user", "I prefer trains to planes."), *often[6:])

    assert "The user prefers trains to planes." in found


def test_tools_alone_are_counted() -> None:
    assert summary_of(("tool", "{}"), ("tool", "[1]")) == "There were 2 messages of tools or the system on 4 May 2026."
    assert retold_summary([]) == ""


def test_it_stays_short() -> None:
    assert len(
        summary_of(*[("user", f"I bought boat {each} in Bergen, with {each} sails." * 8) for each in range(90)])
    ) <= (MAX_CHARACTERS)


def test_a_very_long_conversation_takes_little() -> None:
    begun = time.process_time()

    assert summary_of(*[("user", f"On day {day} I sold {day * 7} loaves at stall {day % 13}.") for day in range(300)])
    assert time.process_time() - begun < 10


@given(st.lists(st.tuples(st.sampled_from(["user", "assistant", "tool", "system"]), st.text(max_size=200)), max_size=9))
def test_whatever_was_said_is_one_line_of_bounded_length(said: list[tuple[str, str]]) -> None:
    found = summary_of(*said)

    assert len(found) <= MAX_CHARACTERS
    assert len(found.splitlines()) <= 1
    assert bool(found) is bool(said)


def test_no_word_of_what_a_line_gives_away_and_no_whole_line_of_chinese_is_a_subject() -> None:
    assert "swordfish" not in summary_of(("user", "password: swordfish marigold"), ("assistant", "Sure."))
    assert "我住在柏林" not in summary_of(("user", "我住在柏林，对花生过敏"), ("assistant", "Sure."))
