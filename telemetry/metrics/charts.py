"""Series of values as shapes that a page draws: points of a line, and the bounds next to it. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

WIDTH, HEIGHT = 600, 140
# A line without change is drawn in the middle, not along an edge.
FLAT_SPAN = 1.0


@dataclass(frozen=True, slots=True)
class Dot:
    """One value where it is drawn, and its place in the series."""

    x: float
    y: float
    place: int


@dataclass(frozen=True, slots=True)
class Chart:
    """Lines from the first value to the last, interrupted where there was none; `zero` is the height of nought."""

    lines: Sequence[str]
    dots: Sequence[Dot]
    low: float
    high: float
    zero: float | None
    width: int = WIDTH
    height: int = HEIGHT


def chart(values: Sequence[float | None], *, least: float | None = None, most: float | None = None) -> Chart | None:
    """Return the chart of a series, oldest first; None when nothing was measured. `least` and `most` fix the bounds."""
    known = [value for value in values if value is not None]
    if not known:
        return None
    low = min(known) if least is None else min(least, *known)
    high = max(known) if most is None else max(most, *known)
    if high == low:
        low, high = low - FLAT_SPAN / 2, high + FLAT_SPAN / 2
    step = WIDTH / max(len(values) - 1, 1)

    def y_position(value: float) -> float:
        return round(HEIGHT * (high - value) / (high - low), 2)

    dots = [
        Dot(round(place * step, 2), y_position(value), place) for place, value in enumerate(values) if value is not None
    ]
    return Chart(_lines(dots), dots, low, high, y_position(0) if low < 0 < high else None)


def _lines(dots: Sequence[Dot]) -> list[str]:
    """Points of neighbouring days in one line each."""
    runs = groupby(enumerate(dots), key=lambda numbered: numbered[1].place - numbered[0])
    return [" ".join(f"{dot.x},{dot.y}" for _, dot in run) for _, run in runs]
