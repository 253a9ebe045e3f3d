"""Values of metrics over windows of days, and where they are heading."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from telemetry.metrics.aggregation import (
    Aggregation,
    MetricSample,
    Trend,
    Value,
    efficiency_windows,
    percentile,
    trend,
    windows,
)

TODAY = date(2026, 3, 2)


def seen(days_ago: int, number: float = 0, *, is_success: bool = True) -> MetricSample:
    return MetricSample(TODAY - timedelta(days=days_ago), is_success, number)


def test_a_rate_is_the_share_that_met_the_condition_within_the_window() -> None:
    found = [seen(0), seen(6, is_success=False), seen(7, is_success=False)]

    assert windows(found, [TODAY], length=7, aggregation=Aggregation.RATE) == [Value(0.5, 2)]


def test_averages_and_percentiles_are_over_those_that_met_it() -> None:
    found = [seen(0, 10), seen(0, 20), seen(0, 90, is_success=False)]

    assert windows(found, [TODAY], length=1, aggregation=Aggregation.AVERAGE) == [Value(15, 2)]
    assert windows(found, [TODAY], length=1, aggregation=Aggregation.P95) == [Value(20, 2)]


@pytest.mark.parametrize("aggregation", list(Aggregation))
def test_a_window_without_anything_has_no_value(aggregation: Aggregation) -> None:
    assert windows([seen(9)], [TODAY], length=2, aggregation=aggregation) == [Value(None, 0)]


def test_each_day_has_a_window_of_its_own() -> None:
    days = [TODAY - timedelta(days=1), TODAY]

    values = windows([seen(1), seen(0, is_success=False)], days, length=1, aggregation=Aggregation.RATE)

    assert values == [Value(1.0, 1), Value(0.0, 1)]


def test_efficiency_compares_with_the_28_days_before() -> None:
    found = [seen(0, 9), seen(6, 9), seen(7, 10), seen(34, 10), seen(35, 1_000)]

    (value,) = efficiency_windows(found, [TODAY], length=7)

    assert value.value == pytest.approx(-0.1)
    assert value.sequences == 2


def test_efficiency_has_no_value_without_a_past() -> None:
    assert efficiency_windows([seen(0, 9)], [TODAY], length=7) == [Value(None, 1)]


def test_the_95th_percentile_is_the_nearest_rank() -> None:
    assert percentile(list(range(1, 101)), 0.95) == 95
    assert percentile([7], 0.95) == 7


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([], None),
        ([0.5] * 7, None),
        ([0.5] * 8, Trend.FLAT),
        ([0.5] * 7 + [0.8] * 7, Trend.UP),
        ([0.8] * 7 + [0.5] * 7, Trend.DOWN),
        ([0.9] * 30 + [0.5] * 7 + [0.505] * 7, Trend.FLAT),
        ([None] * 7 + [0.5] * 7, None),
        ([0.0] * 14, Trend.FLAT),
    ],
)
def test_a_trend_compares_the_last_week_with_the_one_before(values: list[float | None], expected: Trend | None) -> None:
    assert trend(values) == expected
