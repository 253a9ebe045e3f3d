"""Times of imported messages keep the order in which the messages were given."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from transfer.imports.services.message_times import separate_times

START = datetime(2026, 1, 1, 8, tzinfo=UTC)


def at(microseconds: int | None) -> datetime | None:
    return None if microseconds is None else START + timedelta(microseconds=microseconds)


@pytest.mark.parametrize(
    ("given", "taken", "separated"),
    [
        ([], [], []),
        ([None, None], [0], [None, None]),
        ([0, 5, 3], [], [0, 5, 3]),
        ([0, 0, 0], [], [0, 1, 2]),
        ([0, 0, 1, 0, 1], [], [0, 1, 2, 3, 4]),
        ([0, 0], [0, 1], [2, 3]),
        ([0], [1], [0]),
        ([0, 0], [1], [0, 2]),
        ([0, None, 0], [], [0, None, 1]),
    ],
)
def test_what_has_the_same_time_stands_behind_it(
    given: list[int | None], taken: list[int], separated: list[int | None]
) -> None:
    known = [START + timedelta(microseconds=each) for each in taken]

    assert separate_times([at(each) for each in given], taken=known) == [at(each) for each in separated]


def test_many_of_one_moment_take_no_longer_than_they_are_many() -> None:
    separated = separate_times([START] * 20_000, taken=[START])

    assert separated[-1] == START + timedelta(microseconds=20_000)
