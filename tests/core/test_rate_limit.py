"""Rate limits over Redis: windows, what is refused, and many at once."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
import time_machine

from core.stores.rate_limit import RateLimit, count
from tests.together import together

pytestmark = pytest.mark.heavy

MakeLimit = Callable[..., RateLimit]


@pytest.fixture
def limit() -> MakeLimit:
    def make(most: int = 2) -> RateLimit:
        return RateLimit(f"oxa:test:rate:{uuid4()}", most, 60)

    return make


def test_what_is_beyond_the_limit_is_exceeded(limit: MakeLimit) -> None:
    with time_machine.travel(datetime(2026, 1, 1, 12, 0, 5, tzinfo=UTC), tick=False):
        some = limit(2)
        usages = [count(some) for _ in range(3)]

    assert [(usage.number, usage.is_exceeded) for usage in usages] == [(1, False), (2, False), (3, True)]
    assert {usage.seconds_left for usage in usages} == {55}


def test_a_window_ends_with_the_minute(limit: MakeLimit) -> None:
    some, noon = limit(1), datetime(2026, 1, 1, 12, tzinfo=UTC)
    numbers = []
    for second in (58, 59, 60):
        with time_machine.travel(noon + timedelta(seconds=second), tick=False):
            numbers.append(count(some).number)

    assert numbers == [1, 2, 1]


def test_of_many_at_once_as_many_as_the_limit_pass(limit: MakeLimit) -> None:
    some = limit(5)

    usages = together([lambda: count(some)] * 12)

    assert 5 <= sum(not usage.is_exceeded for usage in usages) <= 10  # a minute may turn in between
