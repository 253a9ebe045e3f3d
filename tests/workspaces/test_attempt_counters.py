"""Counters of attempts: windows, what is refused, taking back, and many at once."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import pytest

from core.clock import utc_now
from core.stores.rate_limit import RateLimit
from tests.together import together
from workspaces.access.attempt_counters import attempt_key, count_all, delete_expired, forget, uncount
from workspaces.models import AttemptCounter

pytestmark = pytest.mark.django_db


def limit(most: int = 2) -> RateLimit:
    return RateLimit(attempt_key("test", str(uuid4())), most, 60)


def number(of: RateLimit) -> int:
    return AttemptCounter.objects.get(key=of.key).number


def end_window(of: RateLimit) -> None:
    AttemptCounter.objects.filter(key=of.key).update(ends_at=utc_now() - timedelta(seconds=1))


def test_what_is_beyond_the_limit_is_exceeded_until_its_window_ends() -> None:
    some = limit(2)
    assert [count_all([some]) for _ in range(2)] == [None, None]

    refused = count_all([some])

    assert refused is not None
    assert 1 <= refused.seconds_left <= 60
    end_window(some)
    assert count_all([some]) is None
    assert number(some) == 1


def test_what_is_refused_is_counted_against_no_limit() -> None:
    wide, narrow = limit(10), limit(1)
    assert count_all([wide, narrow]) is None

    refused = count_all([wide, narrow])

    assert refused is not None
    assert refused.limit == narrow
    assert (number(wide), number(narrow)) == (1, 1)


def test_a_count_can_be_taken_back_and_all_be_forgotten() -> None:
    some = limit()
    count_all([some])
    count_all([some])
    uncount([some])
    assert number(some) == 1

    forget(some)
    assert not AttemptCounter.objects.filter(key=some.key).exists()


def test_counters_whose_window_has_ended_are_deleted() -> None:
    old, new = limit(), limit()
    count_all([old, new])
    end_window(old)

    assert delete_expired() == 1
    assert [one.key for one in AttemptCounter.objects.all()] == [new.key]


@pytest.mark.django_db(transaction=True)
def test_of_many_at_once_as_many_as_the_limit_pass() -> None:
    some = limit(5)

    refused = together([lambda: count_all([some])] * 12)

    assert refused.count(None) == 5
