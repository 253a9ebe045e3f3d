"""What one person has moved replaces nothing of another one."""

from __future__ import annotations

import pytest

from memory.memories.replacement.claims import read_claims
from memory.memories.replacement.decision import Succession, decide_readings

MINE = "The user's driving test is on Friday, 11 December 2026."


@pytest.mark.parametrize(
    ("older", "newer", "is_replaced"),
    [
        (MINE, "Pavel's driving test is now on 16 December.", False),
        (
            "Emil's dentist appointment is on 10 December.",
            "The user's dentist appointment is now on 16 December.",
            False,
        ),
        ("Pavel's driving test is on 11 December.", "Pavel's driving test is now on 16 December.", True),
        (MINE, "The user's driving test is now on 16 December.", True),
    ],
)
@pytest.mark.parametrize("is_one_person", [True, False])
def test_owners_are_told_apart(older: str, newer: str, *, is_replaced: bool, is_one_person: bool) -> None:
    decision = decide_readings(read_claims(older), read_claims(newer), is_one_person=is_one_person)

    assert (decision.outcome == Succession.REPLACES) is is_replaced
