"""Neither one holder nor two together have all of what there is little of."""

from __future__ import annotations

import pytest

from core.fair_shares import Shares


def taken(shares: Shares, holder: str, most: int = 100) -> int:
    number = 0
    while number < most and shares.has_room(holder):
        shares.take(holder)
        number += 1
    return number


@pytest.mark.parametrize(
    ("size", "first", "second", "third"), [(12, 6, 3, 1), (64, 32, 16, 1), (4, 2, 1, 1), (2, 1, 1, 1), (1, 1, 1, 1)]
)
def test_the_last_quarter_is_for_those_that_have_none(size: int, first: int, second: int, third: int) -> None:
    shares = Shares(size)

    assert [taken(shares, holder) for holder in ("a", "b", "c")] == [first, second, third]


def test_what_is_given_back_is_there_again() -> None:
    shares = Shares(12)
    taken(shares, "a")
    taken(shares, "b")

    for _ in range(4):
        shares.give_back("a")

    assert shares.taken == 5
    assert taken(shares, "a") == 4
    assert not shares.has_room("b")
