"""Other runs of an author that were at work at a moment: exact, and cheap for as many runs as a key may start."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta

import pytest

from core.space_ids import SHARED
from transfer.models import UndoTarget
from transfer.undo.services.undo_scopes import UndoRequest, UndoScope, join_times
from workspaces.access.callers import system_caller

BEGIN = datetime(2026, 11, 27, tzinfo=UTC)


def at(seconds: float) -> datetime:
    return BEGIN + timedelta(seconds=seconds)


def scope_of(*times: tuple[float, float]) -> UndoScope:
    overlaps = join_times((at(start), at(end)) for start, end in sorted(times))
    return UndoScope(UndoRequest(UndoTarget.RUN, ""), system_caller(SHARED, "test"), BEGIN, overlaps=overlaps)


@pytest.mark.parametrize(
    ("times", "moment", "is_ambiguous"),
    [
        ((), 5, False),
        (((1, 3),), 0.5, False),
        (((1, 3),), 1, True),
        (((1, 3),), 3, True),
        (((1, 3),), 3.5, False),
        (((1, 9), (2, 3)), 8, True),
        (((1, 3), (3, 5)), 4, True),
        (((1, 2), (4, 5)), 3, False),
        (((1, 2), (4, 5)), 4.5, True),
        (((1, 2), (4, 5)), 6, False),
    ],
)
def test_a_moment_is_ambiguous_while_another_run_was_at_work(
    times: tuple[tuple[float, float], ...], moment: float, is_ambiguous: bool
) -> None:
    assert scope_of(*times).is_ambiguous(at(moment)) is is_ambiguous


def test_many_short_runs_cost_a_plan_next_to_nothing() -> None:
    scope = scope_of(*((number, number + 0.5) for number in range(10_000)))
    began = time.perf_counter()

    assert not any(scope.is_ambiguous(at(20_000 + number)) for number in range(20_000))

    assert time.perf_counter() - began < 2  # one after the other, they are 200 million comparisons
