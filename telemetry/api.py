"""REST of telemetry: what agents did, what keeps going wrong, and how well it goes."""

from __future__ import annotations

from typing import Any, ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from core.http.fields import path_id
from core.http.pages import CursorPages, one_page
from telemetry import inputs, selectors
from telemetry.benchmarks_maths import Aggregation, Measure
from telemetry.presenting import action_json, benchmark_json, metric_json, pattern_json, point_json, sequence_json
from telemetry.services import governing, metrics, mining
from telemetry.services.recording import NewAction, record_actions
from workspaces.http import WorkspaceView
from workspaces.scope import workspace_scope


class ActionsView(WorkspaceView):
    """List what agents did, newest first; report up to 1,000 actions at once. While memory is off none is kept."""

    body_limit: ClassVar[str] = "MAX_BULK_BYTES"
    asks = {"GET": inputs.ActionsQuery}

    def get(self, request: Request, ws: str) -> Response:
        pages = CursorPages()
        with workspace_scope(self.caller):
            page = pages.paginate_queryset(selectors.actions_of(self.caller, self.asked), request, self)
        return pages.get_paginated_response([action_json(action) for action in page or []])

    def post(self, request: Request, ws: str) -> Response:
        given = self.body(inputs.ActionsInput)["actions"]
        ids = record_actions(caller=self.caller, actions=[NewAction(**action) for action in given])
        return Response({"captured": len(ids), "ids": [str(identity) for identity in ids]}, status=201 if ids else 200)


class SequencesView(WorkspaceView):
    """List sequences of actions, the latest beginning first."""

    asks = {"GET": inputs.SequencesQuery}

    def get(self, request: Request, ws: str) -> Response:
        pages = CursorPages()
        with workspace_scope(self.caller):
            page = pages.paginate_queryset(selectors.sequences_of(self.caller, self.asked), request, self)
        return pages.get_paginated_response([sequence_json(sequence) for sequence in page or []])


class SequenceView(WorkspaceView):
    """One sequence with its actions in order, a thousand of them at the most."""

    def get(self, request: Request, ws: str, sequence_id: str) -> Response:
        sequence = selectors.access_sequence(self.caller, path_id(sequence_id))
        with workspace_scope(self.caller):
            actions = list(selectors.actions_in(self.caller, sequence)[: selectors.MOST_ACTIONS_SHOWN])
        return Response({**sequence_json(sequence), "actions": [action_json(action) for action in actions]})


class PatternsView(WorkspaceView):
    """List patterns, newest first."""

    asks = {"GET": inputs.PatternsQuery}

    def get(self, request: Request, ws: str) -> Response:
        pages = CursorPages()
        with workspace_scope(self.caller):
            page = pages.paginate_queryset(selectors.patterns_of(self.caller, self.asked), request, self)
        return pages.get_paginated_response([pattern_json(pattern) for pattern in page or []])


class PatternView(WorkspaceView):
    """One pattern: how sure it is, what helps, and what its warnings changed."""

    def get(self, request: Request, ws: str, pattern_id: str) -> Response:
        return Response(pattern_json(selectors.access_pattern(self.caller, path_id(pattern_id))))


class EvaluateView(WorkspaceView):
    """Look for patterns now, without waiting for the next quarter of an hour."""

    def post(self, request: Request, ws: str) -> Response:
        self.body(inputs.NothingInput)
        evaluation = mining.evaluate_patterns(caller=self.caller)
        return Response(
            {
                "promoted": [str(identity) for identity in evaluation.promoted],
                "retired": [str(identity) for identity in evaluation.retired],
                "changed": evaluation.changed,
            }
        )


class AnnotateView(WorkspaceView):
    """Note something on a pattern, or keep it from agents."""

    def post(self, request: Request, ws: str, pattern_id: str) -> Response:
        given = self.body(inputs.AnnotationInput)
        pattern = governing.annotate_pattern(caller=self.caller, pattern_id=path_id(pattern_id), **given)
        return Response(pattern_json(pattern))


class SuppressionView(WorkspaceView):
    """Keep every pattern whose key begins like this from agents, or lift that."""

    suppressed: ClassVar[bool] = True

    def post(self, request: Request, ws: str) -> Response:
        given = self.body(inputs.SuppressionInput)
        changed = governing.suppress_patterns(caller=self.caller, suppressed=self.suppressed, **given)
        return Response({"changed": [pattern_json(pattern) for pattern in changed]})


class MetricsView(WorkspaceView):
    """List metrics; make one, or try it without making it."""

    def get(self, request: Request, ws: str) -> Response:
        return Response(one_page([metric_json(metric) for metric in metrics.metrics_of(self.caller)]))

    def post(self, request: Request, ws: str) -> Response:
        given = self.body(inputs.MetricInput)
        is_trial, back_fill = given.pop("dry_run", False), given.pop("back_fill", False)
        new = metrics.NewMetric(**_typed(given))
        if is_trial:
            found = metrics.try_metric(caller=self.caller, new=new)
            return Response({"points": [point_json(point.day, point.value, point.sequences) for point in found]})
        return Response(
            metric_json(metrics.create_metric(caller=self.caller, new=new, back_fill=back_fill)), status=201
        )


class MetricView(WorkspaceView):
    """Change a metric, or have the past measured."""

    def patch(self, request: Request, ws: str, metric_id: str) -> Response:
        given = self.body(inputs.MetricChangeInput)
        back_fill = given.pop("back_fill", False)
        metric = metrics.change_metric(
            caller=self.caller, metric_id=path_id(metric_id), changes=given, back_fill=back_fill
        )
        return Response(metric_json(metric))


class BenchmarkView(WorkspaceView):
    """The values of a metric, named by its name or id: the newest 90 days, and where they are heading."""

    def get(self, request: Request, ws: str, metric: str) -> Response:
        found = metrics.metric_named(self.caller, metric)
        return Response(benchmark_json(selectors.history_of(self.caller, found)))


def _typed(given: dict[str, Any]) -> dict[str, Any]:
    kinds = {"aggregation": Aggregation, "measure": Measure}
    return {name: kinds[name](value) if name in kinds else value for name, value in given.items()}
