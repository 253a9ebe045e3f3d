"""REST of telemetry: what agents did, what keeps going wrong, and how well it goes."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from core.http.fields import path_id
from core.http.pagination import PageInput, paginate
from telemetry.metrics.schemas import MetricChangeInput, MetricInput
from telemetry.metrics.selectors import metric_history
from telemetry.metrics.serializers import benchmark_json, metric_json, point_json
from telemetry.metrics.services import metrics
from telemetry.patterns.api import typed_fields
from workspaces.http.rest import WorkspaceView


class MetricsView(WorkspaceView):
    """List metrics; make one, or try it without making it."""

    asks = {"GET": PageInput}

    def get(self, request: Request, ws: str) -> Response:
        found = paginate(
            request,
            metrics.workspace_metrics(self.caller),
            key=lambda metric: (not metric.is_builtin, metric.created_at.isoformat(), str(metric.id)),
        )
        return Response({**found, "results": [metric_json(metric) for metric in found["results"]]})

    def post(self, request: Request, ws: str) -> Response:
        given = self.body(MetricInput)
        is_trial, back_fill = given.pop("dry_run", False), given.pop("back_fill", False)
        new = metrics.NewMetric(**typed_fields(given))
        if is_trial:
            found = metrics.try_metric(caller=self.caller, new=new)
            return Response({"points": [point_json(point.day, point.value, point.sequences) for point in found]})
        return Response(
            metric_json(metrics.create_metric(caller=self.caller, new=new, back_fill=back_fill)), status=201
        )


class MetricView(WorkspaceView):
    """Change a metric, or have the past measured."""

    def patch(self, request: Request, ws: str, metric_id: str) -> Response:
        given = self.body(MetricChangeInput)
        back_fill = given.pop("back_fill", False)
        metric = metrics.change_metric(
            caller=self.caller, metric_id=path_id(metric_id), changes=given, back_fill=back_fill
        )
        return Response(metric_json(metric))


class BenchmarkView(WorkspaceView):
    """The values of a metric, named by its name or id: the newest 90 days, and where they are heading."""

    def get(self, request: Request, ws: str, metric: str) -> Response:
        found = metrics.metric_named(self.caller, metric)
        return Response(benchmark_json(metric_history(self.caller, found)))
