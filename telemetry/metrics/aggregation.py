"""The arithmetic of benchmarks: one value for each day out of what sequences did, and where it is heading. Pure."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from statistics import fmean


class Aggregation(StrEnum):
    """How many observations become one value."""

    RATE = "rate"
    AVERAGE = "average"
    P95 = "p95"


class Measure(StrEnum):
    """What an average or a percentile is taken of."""

    DURATION = "duration_ms"
    ACTIONS = "action_count"


class Trend(StrEnum):
    """Where a value has been heading."""

    UP = "up"
    DOWN = "down"
    FLAT = "flat"


# PRODUCT section 7: mean actions per sequence against the preceding 28 days.
PRECEDING_DAYS = 28
# A trend compares the last week with the one before; less than this ratio of change is none.
TREND_POINTS = 7
MIN_CHANGE = 0.02


@dataclass(frozen=True, slots=True, order=True)
class MetricSample:
    """One sequence in the eyes of a metric: the day on which it ended, whether it met the condition, and its number."""

    day: date
    is_success: bool
    number: float = 0.0


@dataclass(frozen=True, slots=True)
class Value:
    """A metric's value over a window and how many sequences it rests on; None where there were none."""

    value: float | None
    sequences: int


def windows(
    observations: Iterable[MetricSample], days: Sequence[date], *, length: int, aggregation: Aggregation
) -> list[Value]:
    """Return the value over the `length` days that end with each of the days."""
    inside = _Timeline(observations)
    return [aggregate(inside.window(day, length), aggregation) for day in days]


def efficiency_windows(observations: Iterable[MetricSample], days: Sequence[date], *, length: int) -> list[Value]:
    """Return how much the mean number changed against the 28 days before each window: -0.1 is a tenth less."""
    inside = _Timeline(observations)
    return [
        _change(inside.window(day, length), inside.window(day - timedelta(days=length), PRECEDING_DAYS)) for day in days
    ]


def aggregate(observations: Sequence[MetricSample], aggregation: Aggregation) -> Value:
    """Return the ratio of rows that met the condition for a rate; average and percentile are over those that met it."""
    if aggregation == Aggregation.RATE:
        number = len(observations)
        return Value(sum(one.is_success for one in observations) / number if number else None, number)
    numbers = sorted(one.number for one in observations if one.is_success)
    if not numbers:
        return Value(None, 0)
    return Value(fmean(numbers) if aggregation == Aggregation.AVERAGE else percentile(numbers, 0.95), len(numbers))


def percentile(numbers: Sequence[float], share: float) -> float:
    """Return the nearest-rank percentile of sorted numbers: the smallest that at least this ratio of them does not
    exceed."""
    return numbers[max(math.ceil(share * len(numbers)) - 1, 0)]


def trend(values: Sequence[float | None]) -> Trend | None:
    """Return where the last week is heading against the week before; None while either has nothing. Oldest first."""
    latest = [value for value in values[-TREND_POINTS:] if value is not None]
    before = [value for value in values[-2 * TREND_POINTS : -TREND_POINTS] if value is not None]
    if not latest or not before:
        return None
    change = fmean(latest) - fmean(before)
    scale = max(abs(fmean(latest)), abs(fmean(before)))
    if abs(change) <= MIN_CHANGE * scale:
        return Trend.FLAT
    return Trend.UP if change > 0 else Trend.DOWN


def _change(recent: Sequence[MetricSample], before: Sequence[MetricSample]) -> Value:
    if not recent or not before:
        return Value(None, len(recent))
    earlier = fmean(one.number for one in before)
    return Value(fmean(one.number for one in recent) / earlier - 1, len(recent))


class _Timeline:
    """Observations in the order of their days, so that a window is a slice."""

    def __init__(self, observations: Iterable[MetricSample]) -> None:
        self._all = sorted(observations, key=lambda one: one.day)
        self._days = [one.day for one in self._all]

    def window(self, last: date, length: int) -> Sequence[MetricSample]:
        first = last - timedelta(days=length - 1)
        return self._all[bisect_left(self._days, first) : bisect_right(self._days, last)]
