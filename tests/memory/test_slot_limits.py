"""What a slot may hold, where it is, and which of its words are searched."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from core.space_ids import SHARED
from memory.working_memory.slot_limits import (
    BYTES_OF_A_MB,
    DEFAULT_MEGABYTES,
    MAX_ITEMS,
    MAX_VALUES,
    SlotAddress,
    SlotTooLargeError,
    check_size,
    check_values,
    expiry,
    fitting,
    inner_value_count,
    json_size,
    json_text,
    searchable_text,
    value_count,
)

ACME, UMBRELLA = UUID(int=1), UUID(int=2)
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "size"),
    [(None, 4), ("", 2), ("ü", 4), ("漢", 5), ("😀", 6), ({}, 2), ([1, 2], 5), ({"a": [True]}, 12), (1.5, 3), ('"', 4)],
)
def test_size_is_that_of_json_in_utf_8(value: Any, size: int) -> None:
    assert json_size(value) == size


@pytest.mark.parametrize(
    ("size", "max_size_mb", "fits"),
    [
        (DEFAULT_MEGABYTES * BYTES_OF_A_MB, None, True),
        (DEFAULT_MEGABYTES * BYTES_OF_A_MB + 1, None, False),
        (BYTES_OF_A_MB, 1.0, True),
        (BYTES_OF_A_MB + 1, 1.0, False),
        (500, 0.0005, True),
        (501, 0.0005, False),
        (0, 0.0, True),
    ],
)
def test_a_slot_takes_up_to_its_size(size: int, max_size_mb: float | None, fits: bool) -> None:
    if fits:
        check_size(size, max_size_mb=max_size_mb)
    else:
        with pytest.raises(SlotTooLargeError):
            check_size(size, max_size_mb=max_size_mb)


VALUES: list[tuple[Any, int]] = [
    (None, 1), (7, 1), ("", 1), ('a,[{"\\', 1), ([], 1), ({}, 1), ([1, 2], 3), ([[]], 2), ([{}, [], {}], 4),
    ({"a": [], "b": {"c": {}}}, 4), ([["a", "[],"], {"{}": "{}"}], 6), ([[[[0]]]], 5), ([None, True, 1.5, "x"], 5),
]  # fmt: skip


@pytest.mark.parametrize(("value", "number"), VALUES)
def test_each_value_counts_and_names_do_not(value: Any, number: int) -> None:
    assert value_count(value) == number


@pytest.mark.parametrize(("value", "number"), VALUES)
def test_a_text_with_many_values_is_counted_as_exactly(value: Any, number: int) -> None:
    many = [value] * (MAX_VALUES // 2)

    assert inner_value_count("\n".join(map(json_text, many))) + len(many) == number * len(many) or number == 1
    assert inner_value_count(json_text(many)) == number * len(many) or number == 1


def test_a_slot_takes_up_to_its_values() -> None:
    check_values(MAX_VALUES)
    with pytest.raises(SlotTooLargeError, match="200,000 JSON values, and this would be 200,001"):
        check_values(MAX_VALUES + 1)


@pytest.mark.parametrize(("max_items", "kept"), [(None, [1, 2, 3]), (5, [1, 2, 3]), (2, [2, 3]), (1, [3])])
def test_the_newest_items_stay(max_items: int | None, kept: list[int]) -> None:
    assert fitting([1, 2, 3], max_items=max_items, max_size_mb=None) == kept


def test_a_list_has_a_most_of_items_unless_it_says_less() -> None:
    items = [0] * (MAX_ITEMS + 1)

    with pytest.raises(SlotTooLargeError, match="give max_items"):
        fitting(items, max_items=None, max_size_mb=None)
    assert len(fitting(items, max_items=MAX_ITEMS, max_size_mb=None)) == MAX_ITEMS


def test_the_bytes_count_of_the_items_that_stay() -> None:
    assert fitting(["x" * 2_000, "y"], max_items=1, max_size_mb=0.001) == ["y"]
    with pytest.raises(SlotTooLargeError):
        fitting(["x" * 2_000, "y"], max_items=2, max_size_mb=0.001)


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ({"user_id": "a", "run_id": "b"}, {"run_id": "b", "user_id": "a"}, True),
        ({"user_id": "a"}, {"user_id": "A"}, False),
        ({"user_id": "a"}, {"run_id": "a"}, False),
        ({"user_id": "a"}, {"user_id": "a", "run_id": ""}, False),
        ({"user_id": 'a", "run_id": "b'}, {"user_id": "a", "run_id": "b"}, False),
        ({}, {"user_id": ""}, False),
        ({"user_id": "ü"}, {"user_id": "\\u00fc"}, False),
    ],
)
def test_a_place_follows_from_the_scope_whatever_its_order(
    one: dict[str, str], other: dict[str, str], is_same: bool
) -> None:
    here, there = SlotAddress("session", "plan", one), SlotAddress("session", "plan", other)

    assert (here.scope_key == there.scope_key) is is_same
    assert (here.place(ACME, SHARED) == there.place(ACME, SHARED)) is is_same
    assert here.place(ACME, SHARED) != here.place(UMBRELLA, SHARED)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("tea", "tea"),
        ({"name": "Ada", "age": 36}, "Ada 36"),
        ({"outer": {"inner": ["a", {"b": "c"}]}}, "a c"),
        ([None, True, False, 0, 1.5, ""], "0 1.5 "),
        (None, ""),
        (True, ""),
        ({}, ""),
    ],
)
def test_texts_and_numbers_are_searched_and_names_of_fields_are_not(value: Any, text: str) -> None:
    assert searchable_text(value) == text


@pytest.mark.parametrize(("seconds", "at"), [(None, None), (60, NOW + timedelta(minutes=1)), (0, NOW)])
def test_a_slot_ends_after_its_time(seconds: int | None, at: datetime | None) -> None:
    assert expiry(now=NOW, ttl_seconds=seconds) == at
