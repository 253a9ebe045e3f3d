"""Making and changing metrics; the built-in ones come by themselves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction

from core.clock import utc_now
from core.errors import ConflictError
from telemetry.actions.services.outbox import announce
from telemetry.metrics.aggregation import Aggregation, Measure
from telemetry.metrics.builtin_metrics import BUILTINS
from telemetry.metrics.selectors import access_metric
from telemetry.metrics.services.measurement import Point, days_with_sequences, parse_expression, points
from telemetry.models import Benchmark, Changed, Metric
from telemetry.models import Sequence as SequenceRow
from workspaces.access import unique_tasks
from workspaces.access.audit import record_event
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope
from workspaces.models import Workspace
from workspaces.settings.workspace_settings import is_memory_enabled

BACK_FILL_TASK = "telemetry.metrics.tasks.back_fill"
DAYS_OF_A_TRIAL = 30
MAX_WAITING_BACK_FILLS = 20


class MetricNameTakenError(ConflictError):
    """Benchmarks are asked for by the name of their metric."""

    code = "metric_name_taken"
    title = "This workspace has a metric of that name."


class BuiltinMetricError(ConflictError):
    """A built-in metric means the same in every workspace."""

    code = "builtin_metric"
    title = "A built-in metric cannot be changed. Make one of your own."


@dataclass(frozen=True, slots=True)
class NewMetric:
    """A metric over the sequences that have an event which `event_filter` is true of; see `metrics_language`.

    A `rate` is the ratio of them that `success_condition` is true of; `average` and `p95` are those of `measure` over
    the ones that it is true of. The window ends with the day that is measured.
    """

    name: str
    aggregation: Aggregation
    event_filter: str = ""
    success_condition: str = ""
    measure: Measure = Measure.DURATION
    window_days: int = 7
    description: str = ""


def ensure_builtin_metrics(*, caller: Caller) -> None:
    """Create the built-in metrics of a workspace that has memory on and lacks them, and have its past measured."""
    with workspace_scope(caller):
        mine = Metric.objects.in_written_space(caller).filter(is_builtin=True)
        workspace = Workspace.objects.live().filter(id=caller.workspace_id).only("config").first()
        if workspace is None or not is_memory_enabled(workspace) or mine.count() == len(BUILTINS):
            return
        made = [
            Metric(
                workspace_id=caller.workspace_id,
                is_builtin=True,
                name=given.name,
                description=given.description,
                success_condition=given.success_condition,
                aggregation=given.aggregation,
                measure=given.measure,
                window_days=given.window_days,
            )
            for given in BUILTINS
        ]
        Metric.objects.bulk_create(made, ignore_conflicts=True)
        if SequenceRow.objects.of(caller).exists():  # from before, or of an import: their days are measured as well
            for metric in mine:
                unique_tasks.enqueue_once(BACK_FILL_TASK, caller=caller, subject=str(metric.id))


def workspace_metrics(caller: Caller) -> list[Metric]:
    """Return the workspace's metrics: the built-in ones first, then the oldest. Raises MissingScopeError without
    `read`."""
    caller.require(Right.READ)
    ensure_builtin_metrics(caller=caller)
    with workspace_scope(caller):
        return list(Metric.objects.of(caller).order_by("-is_builtin", "created_at", "id"))


def metric_named(caller: Caller, address: str) -> Metric:
    """Return the metric with this name or id, also a built-in one that was not asked for yet. Raises
    NotFoundError."""
    if address in {given.name for given in BUILTINS}:
        ensure_builtin_metrics(caller=caller)
    return access_metric(caller, address)


def try_metric(*, caller: Caller, new: NewMetric) -> list[Point]:
    """Return what a metric would have said of the last 30 days; stores nothing. Raises InvalidError,
    MissingScopeError."""
    caller.require(Right.READ)
    _require_readable(new)
    days = days_with_sequences(caller, utc_now(), most=DAYS_OF_A_TRIAL)
    return points(caller=caller, metric=_row(caller, new), days=days)


def create_metric(*, caller: Caller, new: NewMetric, back_fill: bool = False) -> Metric:
    """Make a metric, measured from tonight on; `back_fill` measures the past in the background as well.

    Raises InvalidError for an expression that cannot be read, MetricNameTakenError, MissingScopeError without `write`,
    QuotaExceededError while too many back fills wait.
    """
    caller.require(Right.WRITE)
    _require_readable(new)
    ensure_builtin_metrics(caller=caller)
    with workspace_scope(caller):
        _require_free(caller, new.name)
        metric = _row(caller, new)
        _save(metric)
        record_event(caller=caller, action="metric.created", object_type="metric", object_id=metric.id)
        if back_fill:
            _enqueue_back_fill(caller, metric)
    return metric


def change_metric(*, caller: Caller, metric_id: UUID, changes: Mapping[str, Any], back_fill: bool = False) -> Metric:
    """Change what is named of a metric; `back_fill` measures the past again. What was measured before stays until then.

    Raises NotFoundError, OtherSpaceError, BuiltinMetricError, and what `create_metric` raises.
    """
    caller.require(Right.WRITE)
    with workspace_scope(caller):
        metric = access_metric(caller, str(metric_id), lock=True)
        if changes and metric.is_builtin:
            raise BuiltinMetricError()
        if changes.get("name", metric.name) != metric.name:
            _require_free(caller, changes["name"])
        for name, value in changes.items():
            setattr(metric, name, value)
        _require_readable(metric)
        if changes:
            metric.updated_at = utc_now()
            _save(metric)
            record_event(caller=caller, action="metric.changed", object_type="metric", object_id=metric.id)
        if back_fill:
            _enqueue_back_fill(caller, metric)
    return metric


def delete_metric(*, caller: Caller, address: str) -> Metric:
    """Delete the metric with this name or id and all of its values, for good; return what it was.

    Raises NotFoundError, OtherSpaceError, BuiltinMetricError, MissingScopeError without `write`.
    """
    caller.require(Right.WRITE)
    with workspace_scope(caller):
        metric = access_metric(caller, address, lock=True)
        metric_id = metric.id
        if metric.is_builtin:
            raise BuiltinMetricError("A built-in metric cannot be deleted.")
        values = Benchmark.objects.of(caller).filter(metric_id=metric_id)
        # Their twins in the graph go with them.
        announce(caller, Changed.BENCHMARK, values.values_list("id", flat=True))
        values.delete()
        Metric.objects.filter(id=metric_id).delete()
        details = {"name": metric.name}
        record_event(caller=caller, action="metric.deleted", object_type="metric", object_id=metric_id, details=details)
    return metric


def _enqueue_back_fill(caller: Caller, metric: Metric) -> None:
    """Queue one back fill for each metric, however often it is asked for. Raises QuotaExceededError."""
    if not unique_tasks.is_waiting(BACK_FILL_TASK, caller=caller, subject=str(metric.id)):
        unique_tasks.refuse_many(BACK_FILL_TASK, caller=caller, limit=MAX_WAITING_BACK_FILLS, what="back fills")
        unique_tasks.enqueue_once(BACK_FILL_TASK, caller=caller, subject=str(metric.id))


def _require_readable(metric: NewMetric | Metric) -> None:
    parse_expression("event_filter", metric.event_filter)
    parse_expression("success_condition", metric.success_condition)


def _require_free(caller: Caller, name: str) -> None:
    """Refuse a name that is taken; built-in names are, also where memory has never been on."""
    is_builtin = name in {given.name for given in BUILTINS}
    if is_builtin or Metric.objects.in_written_space(caller).filter(name=name).exists():
        raise MetricNameTakenError()


def _save(metric: Metric) -> None:
    """Insert or update; of two who take a name at once, the second is refused."""
    try:
        with transaction.atomic():
            metric.save()
    except IntegrityError as error:
        raise MetricNameTakenError() from error


def _row(caller: Caller, new: NewMetric) -> Metric:
    return Metric(
        workspace_id=caller.workspace_id,
        name=new.name,
        description=new.description,
        event_filter=new.event_filter,
        success_condition=new.success_condition,
        aggregation=new.aggregation,
        measure=new.measure,
        window_days=new.window_days,
    )
