"""Reading metrics and their history. `access_metric` is the only road from an outside id to a metric."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db.models import Q, Window
from django.db.models.functions import RowNumber

from core.errors import NotFoundError
from core.ids import parse_id
from core.text import has_forbidden_characters
from telemetry.metrics.aggregation import Trend, trend
from telemetry.models import Benchmark, Metric
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope
from workspaces.access.tenancy import refuse_absent

MAX_POINTS = 90


@dataclass(frozen=True, slots=True)
class History:
    """A metric's values, oldest first, and where the last ones are heading."""

    metric: Metric
    points: Sequence[Benchmark]

    @property
    def latest(self) -> Benchmark | None:
        return self.points[-1] if self.points else None

    @property
    def latest_value(self) -> float | None:
        return self.latest.value if self.latest else None

    @property
    def trend(self) -> Trend | None:
        return trend([point.value for point in self.points])


def access_metric(caller: Caller, address: str, *, lock: bool = False) -> Metric:
    """Return a metric of the caller's workspace by its name or id; to change it, locked in an open scope.

    Raises NotFoundError, MissingScopeError without `read`, OtherSpaceError where it is to be locked and only read.
    """
    caller.require(Right.READ)
    if has_forbidden_characters(address):
        raise NotFoundError()
    with workspace_scope(caller):
        found = Metric.objects.of(caller).filter(Q(name=address) | Q(id=parse_id(address))).order_by("id")
        metric: Metric | None = (found.select_for_update() if lock else found).first()
        return metric or refuse_absent(found, lock=lock)


def metric_history(caller: Caller, metric: Metric, *, most: int = MAX_POINTS) -> History:
    """Return the newest values of a metric. Raises MissingScopeError without `read`."""
    return metric_histories(caller, [metric], most=most)[0]


def metric_histories(caller: Caller, metrics: Sequence[Metric], *, most: int = MAX_POINTS) -> list[History]:
    """Return the newest values of each metric. Raises MissingScopeError without `read`."""
    caller.require(Right.READ)
    known: dict[UUID, list[Benchmark]] = {metric.id: [] for metric in metrics}
    newest = Window(RowNumber(), partition_by="metric_id", order_by="-date")
    with workspace_scope(caller):
        points = Benchmark.objects.of(caller).filter(metric_id__in=known)
        for point in points.annotate(place=newest).filter(place__lte=most).order_by("date"):
            known[point.metric_id].append(point)
    return [History(metric, known[metric.id]) for metric in metrics]
