"""The JSON of actions, sequences, patterns and benchmarks: one function for each shape that clients rely on."""

from __future__ import annotations

from datetime import date
from typing import Any

from core.clock import moment
from telemetry.metrics.selectors import History
from telemetry.models import Metric


def metric_json(metric: Metric) -> dict[str, Any]:
    return {
        "id": str(metric.id),
        "name": metric.name,
        "description": metric.description or None,
        "builtin": metric.is_builtin,
        "event_filter": metric.event_filter,
        "success_condition": metric.success_condition,
        "aggregation": metric.aggregation,
        "measure": metric.measure,
        "window_days": metric.window_days,
        "created_at": moment(metric.created_at),
        "updated_at": moment(metric.updated_at),
    }


def benchmark_json(history: History) -> dict[str, Any]:
    latest = history.latest
    return {
        "metric": history.metric.name,
        "points": [point_json(point.date, point.value, point.sequences) for point in history.points],
        "latest": latest.value if latest else None,
        "trend": history.trend,
    }


def point_json(day: date, value: float | None, sequences: int) -> dict[str, Any]:
    return {"date": day.isoformat(), "value": value, "sequences": sequences}
