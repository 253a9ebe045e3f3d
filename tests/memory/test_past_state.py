"""What a memory was at an earlier moment, from its steps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from memory.memories.history.past_state import MemoryState, PastStep, past_states, rewind_state

NOW = MemoryState(
    content="The meeting is on Thursday.",
    kind="fact",
    tags=("week",),
    importance=0.9,
    confidence=1.0,
    manual_weight=1.5,
    source="agent",
    author="Acme agent (API key)",
    author_kind="api_key",
    edited_by="Acme agent",
    edited_by_kind="api_key",
    pinned_at=datetime(2026, 1, 9, tzinfo=UTC),
    pinned_by="Alice",
)


def _step(day: int, action: str, by: str = "Alice", actor: str = "user", **before: Any) -> PastStep:
    return PastStep(action, actor, by, before, datetime(2026, 1, day, tzinfo=UTC))


# Newest first.
STEPS = [
    _step(9, "pin", pinned=False),
    _step(8, "unsuppress", suppressed=True, suppressed_by="Bob", suppressed_reason="Wrong week"),
    _step(7, "edit", "Acme agent", "api_key", content="It is on Wednesday.", author="Carol", source="user"),
    _step(6, "promote", kind="memory"),
    _step(5, "suppress", "Bob", suppressed=False),
    _step(4, "weigh", manual_weight=1.0),
    _step(3, "edit", "Dan", content="The meeting is on Tuesday.", tags=[], importance=0.5, valid_to=None),
    _step(2, "unpin", pinned=True, pinned_by="Bob"),
    _step(1, "remember"),
]


@pytest.mark.parametrize(
    ("day", "expected"),
    [
        (10, {}),
        (8, {"pinned_at": None, "pinned_by": ""}),
        (7, {"suppressed_at": datetime(2026, 1, 5, tzinfo=UTC), "suppressed_by": "Bob"}),
        (
            6,
            {
                "content": "It is on Wednesday.",
                "author": "Carol",
                "author_kind": "user",
                "source": "user",
                "edited_by": "Dan",
                "edited_by_kind": "user",
                "kind": "fact",
            },
        ),
        (5, {"kind": "memory", "suppressed_reason": "Wrong week"}),
        (4, {"suppressed_at": None, "suppressed_reason": "", "manual_weight": 1.5}),
        (3, {"manual_weight": 1.0, "tags": ("week",)}),
        (2, {"content": "The meeting is on Tuesday.", "tags": (), "importance": 0.5, "edited_by": ""}),
        (1, {"pinned_by": "Bob", "pinned_at": datetime(2026, 1, 1, tzinfo=UTC)}),
    ],
)
def test_steps_after_the_moment_are_undone(day: int, expected: Mapping[str, Any]) -> None:
    state = rewind_state(NOW, STEPS, datetime(2026, 1, day, 12, tzinfo=UTC))

    assert replace(state, **expected) == state


def test_before_its_first_step_it_was_what_it_was_made_as() -> None:
    first = rewind_state(NOW, STEPS, datetime(2020, 1, 1, tzinfo=UTC))

    assert (first.content, first.kind, first.author_kind) == ("The meeting is on Tuesday.", "memory", "user")
    assert list(past_states(NOW, STEPS))[-1] == first


def test_times_are_read_again() -> None:
    edited = [_step(3, "edit", valid_to="2026-02-01T00:00:00+00:00", expires_at=None)]

    before = rewind_state(NOW, edited, datetime(2026, 1, 2, tzinfo=UTC))

    assert (before.valid_to, before.expires_at) == (datetime(2026, 2, 1, tzinfo=UTC), None)
