"""Where sessions begin, as a table of cases."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from conversations.messages.sessions import Turn, session_labels

NINE = datetime(2026, 3, 2, 9, tzinfo=UTC)
AT_NINE, AT_SIX_PAST_FOUR = "2026-03-02T09:00:00Z", "2026-03-02T16:06:00Z"


def at(hours: float, session: str = "") -> Turn:
    return Turn(NINE + timedelta(hours=hours), session)


@pytest.mark.parametrize(
    ("known", "arriving", "ended_at", "labels"),
    [
        ([], [at(0)], None, [AT_NINE]),
        ([], [at(0), at(1), at(7)], None, [AT_NINE] * 3),
        ([], [at(0), at(6)], None, [AT_NINE] * 2),
        ([], [at(0), at(7.1)], None, [AT_NINE, AT_SIX_PAST_FOUR]),
        ([], [at(0, "s1"), at(0.1)], None, ["s1", "s1"]),
        ([], [at(0), at(0.1, "s2"), at(0.2)], None, [AT_NINE, "s2", "s2"]),
        ([at(0, "s1")], [at(1)], None, ["s1"]),
        ([at(0, "s1")], [at(7.1)], None, [AT_SIX_PAST_FOUR]),
        ([at(0, "s1")], [at(0)], None, ["s1"]),
        ([at(0, "s1"), at(8, "s2")], [at(1), at(9)], None, ["s1", "s2"]),
        ([at(0, "s1")], [at(7.1)], NINE + timedelta(hours=1), [AT_SIX_PAST_FOUR]),
        ([at(-1, "s1")], [at(0)], NINE - timedelta(minutes=30), [AT_NINE]),
        ([at(-1, "s1")], [at(0)], NINE + timedelta(minutes=30), ["s1"]),
        ([at(-1, "s1")], [at(0, "s1")], NINE - timedelta(minutes=30), ["s1"]),
    ],
)
def test_sessions_begin_after_six_hours_an_end_or_by_name(
    known: list[Turn], arriving: list[Turn], ended_at: datetime | None, labels: list[str]
) -> None:
    assert session_labels(arriving, known=known, ended_at=ended_at) == labels
