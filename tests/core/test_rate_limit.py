"""Rate limits over Redis: windows, what is refused, and many at once."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
import time_machine

from core.stores.rate_limit import RateLimit, count, count_all, forget, uncount
from tests.together import together

pytestmark = pytest.mark.heavy

MakeLimit = Callable[..., RateLimit]


@pytest.fixture
def limit() -> MakeLimit:
    def make(most: int = 2, *, aligned: bool = False) -> RateLimit:
        return RateLimit(f"oxa:test:rate:{uuid4()}", most, 60, is_aligned=aligned)

    return make


@pytest.mark.parametrize("aligned", [False, True])
def test_what_is_beyond_the_limit_is_exceeded(limit: MakeLimit, aligned: bool) -> None:
    with time_machine.travel(datetime(2026, 1, 1, 12, 0, 5, tzinfo=UTC), tick=False):
        some = limit(2, aligned=aligned)
        usages = [count(some) for _ in range(3)]

    assert [(usage.number, usage.is_exceeded) for usage in usages] == [(1, False), (2, False), (3, True)]
    assert {usage.seconds_left for usage in usages} <= ({55} if aligned else {59, 60})


def test_an_aligned_window_ends_with_the_minute(limit: MakeLimit) -> None:
    some, noon = limit(1, aligned=True), datetime(2026, 1, 1, 12, tzinfo=UTC)
    numbers = []
    for second in (58, 59, 60):
        with time_machine.travel(noon + timedelta(seconds=second), tick=False):
            numbers.append(count(some).number)

    assert numbers == [1, 2, 1]


def test_what_is_refused_is_counted_against_no_limit(limit: MakeLimit) -> None:
    wide, narrow = limit(10), limit(1)
    assert count_all([wide, narrow]) is None

    refused = count_all([wide, narrow])

    assert refused is not None
    assert refused.limit == narrow
    assert [count(one).number for one in (wide, narrow)] == [2, 2], "each had one before"


@pytest.mark.parametrize("aligned", [False, True])
def test_a_count_can_be_taken_back_and_all_be_forgotten(limit: MakeLimit, aligned: bool) -> None:
    with time_machine.travel(datetime(2026, 1, 1, 12, 0, 5, tzinfo=UTC), tick=False):
        some = limit(aligned=aligned)
        count(some)
        count(some)
        uncount([some])
        assert count(some).number == 2

        forget(some)
        assert count(some).number == 1


@pytest.mark.parametrize("aligned", [False, True])
def test_of_many_at_once_as_many_as_the_limit_pass(limit: MakeLimit, aligned: bool) -> None:
    some = limit(5, aligned=aligned)

    usages = together([lambda: count(some)] * 12)

    assert sum(not usage.is_exceeded for usage in usages) >= 5  # a minute may turn in between
    assert sum(not usage.is_exceeded for usage in usages) in ({5} if not aligned else {5, 6, 7, 8, 9, 10})
