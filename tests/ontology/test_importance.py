"""What a node counts for: bounded, decaying, and never enough to make up for what was not found."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ontology.search.importance import HALF_LIFE_DAYS, SHARE, ReferencedNode, weigh_importance

NOW = datetime(2026, 6, 1, tzinfo=UTC)
HALF_LIFE = timedelta(days=HALF_LIFE_DAYS)
days = st.floats(0, 5_000)


def known(*, stated: float = 0.5, references: int = 0, referenced: float = 0, changed: float = 0) -> ReferencedNode:
    """What is known of a node; the times in days before now."""
    last = NOW - timedelta(days=referenced) if references else None
    return ReferencedNode(stated, references, last, NOW - timedelta(days=changed))


@given(st.floats(0, 1), st.integers(0, 2**31), days, days)
def test_it_is_bounded(stated: float, references: int, referenced: float, changed: float) -> None:
    one = known(stated=stated, references=references, referenced=referenced, changed=changed)
    standing = weigh_importance(one, now=NOW)

    assert stated <= standing.importance + 1e-9
    assert 0 <= standing.recency <= 1
    assert 1 - SHARE <= standing.factor <= 1 + 1e-9


@given(st.integers(0, 1_000), days, days)
def test_it_never_rises_by_waiting(references: int, referenced: float, later: float) -> None:
    one = known(references=references, referenced=referenced, changed=referenced)
    now, then = weigh_importance(one, now=NOW), weigh_importance(one, now=NOW + timedelta(days=later))

    assert then.factor <= now.factor + 1e-9


def test_references_make_it_rise_less_and_less() -> None:
    earned = [weigh_importance(known(stated=0, references=n), now=NOW).importance for n in (0, 1, 3, 7, 63, 10_000)]

    assert earned == sorted(earned)
    assert earned[0] == 0
    assert earned[1] == pytest.approx(0.5 / 6)
    assert earned[-1] == earned[-2] == 0.5


def test_a_half_life_halves_recency_and_what_references_earned() -> None:
    fresh = weigh_importance(known(stated=0, references=3), now=NOW)
    old = weigh_importance(known(stated=0, references=3, changed=HALF_LIFE_DAYS), now=NOW + HALF_LIFE)

    assert old.recency == pytest.approx(fresh.recency / 2)
    assert old.importance == pytest.approx(fresh.importance / 2)


def test_a_reference_makes_an_old_node_recent_again() -> None:
    assert weigh_importance(known(references=1, changed=365), now=NOW).recency == 1


def test_no_standing_makes_up_for_relevance() -> None:
    best = weigh_importance(known(stated=1, references=1_000), now=NOW)
    worst = weigh_importance(known(stated=0, changed=10_000), now=NOW)

    assert 0.0 * best.factor == 0
    assert 0.81 * worst.factor > 0.64 * best.factor
    assert 0.5 * worst.factor < 0.5 * best.factor
