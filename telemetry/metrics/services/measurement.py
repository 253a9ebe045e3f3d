"""Values of metrics: measured over sequences every night, on request, or only to try a metric."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from django.db.models import Count, Min, Q

from core.clock import utc_now
from core.errors import FieldProblem, InvalidError
from telemetry.actions.services.outbox import announce
from telemetry.metrics import builtin_metrics
from telemetry.metrics.aggregation import (
    PRECEDING_DAYS,
    Aggregation,
    Measure,
    MetricSample,
    Value,
    efficiency_windows,
    windows,
)
from telemetry.metrics.metric_expressions import (
    CONDITION_FIELDS,
    EVENT_FIELDS,
    Expression,
    ExpressionError,
    FieldKind,
    parse,
)
from telemetry.models import Benchmark, Changed, Injection, InjectionResult, Metric
from telemetry.models import Sequence as SequenceRow
from telemetry.sequences.step_keys import SEPARATOR
from workspaces.access.callers import Caller
from workspaces.access.scope import workspace_scope

MAX_BACK_FILLED_DAYS = 365


@dataclass(frozen=True, slots=True)
class Point:
    """A metric's value on a day."""

    day: date
    value: float | None
    sequences: int


def points(*, caller: Caller, metric: Metric, days: Sequence[date]) -> list[Point]:
    """Return the metric over the window that ends with each of the days, which are in order. Reads sequences, stores
    nothing.

    Raises InvalidError when an expression of the metric cannot be read.
    """
    if not days:
        return []
    seen = _observations(caller, metric, days)
    if metric.is_builtin and metric.name == builtin_metrics.EFFICIENCY:
        values = efficiency_windows(seen, days, length=metric.window_days)
    else:
        values = windows(seen, days, length=metric.window_days, aggregation=Aggregation(metric.aggregation))
    return [_point(day, value) for day, value in zip(days, values, strict=True)]


def measure(*, caller: Caller, metric: Metric, days: Sequence[date]) -> int:
    """Store the metric's values for the days, over what was stored; return the number of days that had something to
    measure."""
    found = [point for point in points(caller=caller, metric=metric, days=days) if point.sequences]
    rows = [
        Benchmark(
            workspace_id=caller.workspace_id,
            metric_id=metric.id,
            date=point.day,
            value=point.value,
            sequences=point.sequences,
        )
        for point in found
    ]
    with workspace_scope(caller):
        Benchmark.objects.bulk_create(
            rows,
            update_conflicts=True,
            unique_fields=["workspace", "metric", "date"],
            update_fields=["value", "sequences", "measured_at"],
        )
        kept = Benchmark.objects.filter(metric_id=metric.id, date__in=[row.date for row in rows])
        announce(caller, Changed.BENCHMARK, kept.values_list("id", flat=True))
    return len(rows)


def measure_night(*, caller: Caller, now: datetime | None = None) -> int:
    """Measure every metric of the space for the last two days; return the number of values stored.

    The day before yesterday is measured again for actions that came late.
    """
    today = (now or utc_now()).astimezone(UTC).date()
    with workspace_scope(caller):
        metrics = list(Metric.objects.in_written_space(caller))
    days = [today - timedelta(days=2), today - timedelta(days=1)]
    return sum(measure(caller=caller, metric=metric, days=days) for metric in metrics)


def back_fill(*, caller: Caller, metric: Metric, now: datetime | None = None) -> int:
    """Measure every day since the workspace's first sequence, at most a year, up to today; return their number."""
    return measure(caller=caller, metric=metric, days=days_with_sequences(caller, now or utc_now()))


def days_with_sequences(caller: Caller, now: datetime, most: int = MAX_BACK_FILLED_DAYS) -> list[date]:
    """Return the days from the workspace's first sequence to today, at most `most`; none without a sequence."""
    today = now.astimezone(UTC).date()
    with workspace_scope(caller):
        mine = SequenceRow.objects.of(caller)
        first = mine.aggregate(first=Min("ended_at"))["first"]
    if first is None:
        return []
    number = min((today - first.astimezone(UTC).date()).days + 1, most)
    return [today - timedelta(days=back) for back in range(number - 1, -1, -1)]


def parse_expression(field: str, text: str) -> Expression:
    """Return an expression of a metric. Raises InvalidError that tells the position and what was expected there."""
    fields: dict[str, FieldKind] = EVENT_FIELDS if field == "event_filter" else CONDITION_FIELDS
    try:
        return parse(text, fields=fields)
    except ExpressionError as error:
        raise InvalidError(str(error), problems=(FieldProblem(field, "invalid_expression", str(error)),)) from error


def _point(day: date, value: Value) -> Point:
    return Point(day, value.value, value.sequences)


def _observations(caller: Caller, metric: Metric, days: Sequence[date]) -> Iterator[MetricSample]:
    reach = metric.window_days + (
        PRECEDING_DAYS if metric.is_builtin and metric.name == builtin_metrics.EFFICIENCY else 0
    )
    first = _midnight(days[0] - timedelta(days=reach - 1))
    end = _midnight(days[-1] + timedelta(days=1))
    if metric.is_builtin and metric.name == builtin_metrics.UTILISATION:
        return _warned_sequences(caller, first, end)
    return _sequences(caller, metric, first, end)


def _sequences(caller: Caller, metric: Metric, first: datetime, end: datetime) -> Iterator[MetricSample]:
    chosen = parse_expression("event_filter", metric.event_filter)
    condition = parse_expression("success_condition", metric.success_condition)
    with workspace_scope(caller):
        mine = SequenceRow.objects.of(caller).filter(ended_at__gte=first, ended_at__lt=end)
        names = ["ended_at", "outcome", "action_count", "duration_ms", *(["agent", "steps"] if chosen.text else [])]
        found = list(mine.order_by("ended_at").values(*names))
    for row in found:
        if not chosen.text or _has_event(chosen, row["agent"], row["steps"]):
            number = row["action_count"] if metric.measure == Measure.ACTIONS else row["duration_ms"]
            yield MetricSample(row["ended_at"].astimezone(UTC).date(), condition.holds(row), number)


def _has_event(chosen: Expression, agent: str, steps: Sequence[str]) -> bool:
    names = ("action_type", "node_type", "error_code")
    return any(chosen.holds({"agent": agent, **dict(zip(names, step.split(SEPARATOR), strict=True))}) for step in steps)


def _warned_sequences(caller: Caller, first: datetime, end: datetime) -> Iterator[MetricSample]:
    """Sequences that were warned, by the day of the warning; success is that no warned-of error occurred."""
    occurred = Count("id", filter=Q(result=InjectionResult.OCCURRED))
    shown = Injection.objects.of(caller).filter(is_held_out=False, sequence_id__isnull=False)
    with workspace_scope(caller):
        inside = shown.filter(injected_at__gte=first, injected_at__lt=end)
        found = list(inside.values("sequence_id").annotate(at=Min("injected_at"), occurred=occurred))
    for row in found:
        yield MetricSample(row["at"].astimezone(UTC).date(), row["occurred"] == 0)


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time.min, UTC)
