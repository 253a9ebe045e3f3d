"""How many messages go into one chunk, and where it ends."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from core.text.transcripts import MAX_TURNS, TranscriptLine, whole_exchanges

AT = datetime(2023, 6, 9, 12, tzinfo=UTC)


def lines(*roles: str, content: str = "Rye bread.") -> list[TranscriptLine]:
    return [TranscriptLine(role, "", content, AT) for role in roles]


@pytest.mark.parametrize(
    ("roles", "number"),
    [
        ([], 0),
        (["user", "assistant"], 2),
        (["user", "user"] * MAX_TURNS, MAX_TURNS),
        (["user", "assistant"] * MAX_TURNS, MAX_TURNS),
        (["assistant", "user"] * MAX_TURNS, MAX_TURNS - 1),
        (["assistant", *["user"] * (MAX_TURNS - 1)], MAX_TURNS),
    ],
)
def test_a_question_goes_into_the_chunk_of_its_answer(roles: list[str], number: int) -> None:
    assert len(whole_exchanges(lines(*roles))) == number


def test_two_long_messages_are_a_chunk_even_so() -> None:
    long = lines("assistant", "user", "assistant", content="bread " * 3_000)

    assert len(whole_exchanges(long)) == len(long) - 1
