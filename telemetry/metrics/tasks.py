"""Tasks of metrics: benchmarks every night, and of past days on request."""

from __future__ import annotations

from uuid import UUID

from core.errors import NotFoundError
from core.stores import queue
from telemetry.metrics.selectors import access_metric
from telemetry.metrics.services import measurement, metrics
from telemetry.models import Metric
from telemetry.sequences.services import sequencer
from workspaces.access.callers import system_caller
from workspaces.access.space_callers import caller_of_row, spaces_of_rows
from workspaces.access.unique_tasks import note_begin
from workspaces.settings.selectors import workspaces_with_memory

TASK = "benchmarks"
MEASURE_TASK = "telemetry.metrics.tasks.measure_workspace"


def measure_workspace(workspace_id: str) -> int:
    """Measure the metrics of one workspace for the days that ended last, and clear away what nothing uses any more."""
    caller = system_caller(UUID(workspace_id), TASK)
    sequencer.forget_unused_intents(workspace_id=caller.workspace_id)
    metrics.ensure_builtin_metrics(caller=caller)
    spaces = spaces_of_rows(caller.workspace_id, TASK, rows=Metric.objects.all())
    return sum(measurement.measure_night(caller=caller.within(each)) for each in spaces)


def measure_all() -> int:
    """On the schedule: a task for each workspace that has memory on; return their number."""
    enabled = workspaces_with_memory()
    for identity in enabled:
        queue.enqueue_unless_waiting(MEASURE_TASK, str(identity))
    return len(enabled)


def back_fill(workspace_id: str, metric_id: str) -> int:
    """Measure a metric over the sequences that there are, day by day."""
    caller = caller_of_row(UUID(workspace_id), TASK, model=Metric, row_id=metric_id)
    if caller is None:
        return 0
    note_begin(metrics.BACK_FILL_TASK, caller=caller, subject=metric_id)
    try:
        return measurement.back_fill(caller=caller, metric=access_metric(caller, metric_id))
    except NotFoundError:
        return 0
