"""REST of metrics and their benchmarks."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from core.http.pagination import PageQuery, paginate
from core.http.schemas import NoBody, Page
from core.http.url_parameters import path_id
from telemetry.metrics.schemas import (
    BenchmarkResponse,
    MetricChangeInput,
    MetricInput,
    MetricResponse,
    PointsResponse,
)
from telemetry.metrics.selectors import metric_history
from telemetry.metrics.services import metrics
from workspaces.http.rest import WorkspaceView


class MetricsView(WorkspaceView):
    """List metrics; make one, or try it without making it."""

    action_types = None
    asks = {"GET": PageQuery}
    reads = {"POST": MetricInput}
    answers = {"GET": Page[MetricResponse], "POST": {200: PointsResponse, 201: MetricResponse}}

    def get(self, request: Request, ws: str) -> Response:
        found = paginate(
            request,
            metrics.workspace_metrics(self.caller),
            key=lambda metric: (not metric.is_builtin, metric.created_at.isoformat(), str(metric.id)),
        )
        return self.answer(Page[MetricResponse].of(found))

    def post(self, request: Request, ws: str) -> Response:
        given = self.body(MetricInput)
        if given.dry_run:
            return self.answer(PointsResponse.of_points(metrics.try_metric(caller=self.caller, new=given.metric())))
        made = metrics.create_metric(caller=self.caller, new=given.metric(), back_fill=given.back_fill)
        return self.answer(MetricResponse.of(made), status=201)


class MetricView(WorkspaceView):
    """Change a metric, have the past measured, or delete it with all of its values (204)."""

    action_types = None
    reads = {"PATCH": MetricChangeInput}
    answers = {"PATCH": MetricResponse, "DELETE": None}

    def patch(self, request: Request, ws: str, metric_id: str) -> Response:
        given = self.body(MetricChangeInput)
        metric = metrics.change_metric(
            caller=self.caller, metric_id=path_id(metric_id), changes=given.changes(), back_fill=given.back_fill
        )
        return self.answer(MetricResponse.of(metric))

    def delete(self, request: Request, ws: str, metric_id: str) -> Response:
        self.body(NoBody)
        metrics.delete_metric(caller=self.caller, address=str(path_id(metric_id)))
        return Response(status=204)


class BenchmarkView(WorkspaceView):
    """The values of a metric, named by its name or id: the newest 90 days, and where they are heading."""

    action_types = None
    answers = {"GET": BenchmarkResponse}

    def get(self, request: Request, ws: str, metric: str) -> Response:
        found = metrics.metric_named(self.caller, metric)
        return self.answer(BenchmarkResponse.of(metric_history(self.caller, found)))
