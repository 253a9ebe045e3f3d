"""View models of metrics: panels with charts, definitions, formatted values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.urls import reverse

from telemetry.metrics.aggregation import Aggregation, Measure, Trend
from telemetry.metrics.builtin_metrics import EFFICIENCY, metric_title
from telemetry.metrics.charts import Chart, chart
from telemetry.metrics.selectors import History
from telemetry.metrics.services.measurement import Point
from telemetry.models import Metric
from telemetry.sequences.view_models import duration, format_count
from workspaces.access.selectors import ConsoleContext

TREND_LABELS = {
    Trend.UP: "the last 7 values are higher than the 7 before",
    Trend.DOWN: "the last 7 values are lower than the 7 before",
    Trend.FLAT: "as the 7 values before",
}
NOTHING_MEASURED = "nothing to measure yet"


@dataclass(frozen=True, slots=True)
class ChartSpot:
    """The part of a chart over which a pointer shows one value: its left edge and width, and the words."""

    x: float
    width: float
    text: str


@dataclass(frozen=True, slots=True)
class MetricPanel:
    """One metric with its values, as the benchmarks page shows it."""

    metric: Metric
    title: str
    url: str
    latest: str
    trend: str
    chart: Chart | None
    low: str
    high: str
    label: str
    points: Sequence[Mapping[str, Any]]
    spots: Sequence[ChartSpot]


def metric_url(seat: ConsoleContext, metric: Metric) -> str:
    return reverse("agent-metric", args=[seat.workspace.slug, metric.id])


def metric_panel(seat: ConsoleContext, history: History) -> MetricPanel:
    metric, latest = history.metric, history.latest
    values = [point.value for point in history.points]
    is_share = metric.aggregation == Aggregation.RATE
    drawn = chart(values, least=0.0 if is_share else None, most=1.0 if is_share else None)
    shown = format_value(metric, latest.value) if latest and latest.value is not None else NOTHING_MEASURED
    title = metric_title(metric.name, is_builtin=metric.is_builtin)
    return MetricPanel(
        metric=metric,
        title=title,
        url=metric_url(seat, metric),
        latest=shown,
        trend=TREND_LABELS[history.trend] if history.trend else "",
        chart=drawn,
        low=format_value(metric, drawn.low) if drawn else "",
        high=format_value(metric, drawn.high) if drawn else "",
        label=f"{title}: {format_count(len(values), 'day')}, the last {shown}",
        points=[
            {"date": point.date, "value": format_value(metric, point.value), "sequences": point.sequences}
            for point in reversed(history.points)
        ],
        spots=_spots(history, drawn) if drawn else (),
    )


def _spots(history: History, drawn: Chart) -> list[ChartSpot]:
    """Return a spot for each day that has a value, as wide as a day is drawn."""
    metric, width = history.metric, round(drawn.width / max(len(history.points), 1), 2)
    spots = []
    for dot in drawn.dots:
        point = history.points[dot.place]
        value, number = format_value(metric, point.value), format_count(point.sequences, "sequence")
        spots.append(ChartSpot(round(dot.x - width / 2, 2), width, f"{point.date:%-d %b %Y}: {value}, {number}"))
    return spots


def trial_lines(metric: Metric, found: Sequence[Point]) -> list[dict[str, Any]]:
    """Return what a metric would have said, the latest day first."""
    return [
        {"date": point.day, "value": format_value(metric, point.value), "sequences": point.sequences}
        for point in reversed(found)
        if point.sequences
    ]


def definition(metric: Metric) -> list[dict[str, Any]]:
    """Return how a metric is measured, as `parts/key_values.html` shows it."""
    pairs: list[dict[str, Any]] = [
        {"label": "Name", "value": metric.name, "mono": True, "help": "as the API has it"},
        {"label": "Value", "value": str(metric.aggregation), "mono": True},
        {"label": "Events", "value": metric.event_filter or "every sequence", "mono": bool(metric.event_filter)},
        {"label": "Condition", "value": metric.success_condition or "none", "mono": bool(metric.success_condition)},
        {"label": "Window", "value": format_count(metric.window_days, "day")},
    ]
    if metric.aggregation != Aggregation.RATE:
        pairs.insert(1, {"label": "Of", "value": str(metric.measure), "mono": True})
    return pairs


def format_value(metric: Metric, value: float | None) -> str:
    """Return a value with its unit."""
    if value is None:
        return "–"
    if metric.is_builtin and metric.name == EFFICIENCY:
        return f"{value:+.1%}"
    if metric.aggregation == Aggregation.RATE:
        return f"{value:.1%}"
    return duration(timedelta(milliseconds=value)) if metric.measure == Measure.DURATION else f"{value:,.1f}"
