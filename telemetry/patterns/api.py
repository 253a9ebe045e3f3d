"""REST of telemetry: what agents did, what keeps going wrong, and how well it goes."""

from __future__ import annotations

from typing import Any, ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from core.http.fields import path_id
from core.http.pagination import CursorPages
from telemetry.actions.schemas import NothingInput
from telemetry.metrics.aggregation import Aggregation, Measure
from telemetry.patterns.schemas import AnnotationInput, PatternsQuery, SuppressionInput
from telemetry.patterns.selectors import access_pattern, workspace_patterns
from telemetry.patterns.serializers import pattern_json
from telemetry.patterns.services import evaluation as mining
from telemetry.patterns.services import pattern_admin
from workspaces.access.scope import workspace_scope
from workspaces.http.rest import WorkspaceView


class PatternsView(WorkspaceView):
    """List patterns, newest first."""

    asks = {"GET": PatternsQuery}

    def get(self, request: Request, ws: str) -> Response:
        pages = CursorPages()
        with workspace_scope(self.caller):
            page = pages.paginate_queryset(workspace_patterns(self.caller, self.asked), request, self)
        return pages.get_paginated_response([pattern_json(pattern) for pattern in page or []])


class PatternView(WorkspaceView):
    """One pattern: how sure it is, what helps, and what its warnings changed."""

    def get(self, request: Request, ws: str, pattern_id: str) -> Response:
        return Response(pattern_json(access_pattern(self.caller, path_id(pattern_id))))


class EvaluateView(WorkspaceView):
    """Look for patterns now, without waiting for the next quarter of an hour."""

    def post(self, request: Request, ws: str) -> Response:
        self.body(NothingInput)
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
        given = self.body(AnnotationInput)
        pattern = pattern_admin.annotate_pattern(caller=self.caller, pattern_id=path_id(pattern_id), **given)
        return Response(pattern_json(pattern))


class SuppressionView(WorkspaceView):
    """Keep every pattern whose key begins like this from agents, or lift that."""

    suppressed: ClassVar[bool] = True

    def post(self, request: Request, ws: str) -> Response:
        given = self.body(SuppressionInput)
        changed = pattern_admin.suppress_patterns(caller=self.caller, suppressed=self.suppressed, **given)
        return Response({"changed": [pattern_json(pattern) for pattern in changed]})


def typed_fields(given: dict[str, Any]) -> dict[str, Any]:
    kinds = {"aggregation": Aggregation, "measure": Measure}
    return {name: kinds[name](value) if name in kinds else value for name, value in given.items()}
