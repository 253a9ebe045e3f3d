"""REST of patterns: list, evaluate, annotate and suppress."""

from __future__ import annotations

from typing import ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from core.http.schemas import NoBody, Page
from core.http.url_parameters import path_id
from telemetry.patterns.schemas import (
    AnnotationInput,
    ChangedPatternsResponse,
    EvaluatedResponse,
    PatternResponse,
    PatternsQuery,
    SuppressionInput,
)
from telemetry.patterns.selectors import access_pattern, workspace_patterns
from telemetry.patterns.services import evaluation, pattern_admin
from workspaces.http.rest import WorkspaceView


class PatternsView(WorkspaceView):
    """List patterns, newest first."""

    action_types = None
    asks = {"GET": PatternsQuery}
    answers = {"GET": Page[PatternResponse]}

    def get(self, request: Request, ws: str) -> Response:
        narrow = self.query(PatternsQuery).filter_values()
        return self.page(PatternResponse, lambda: workspace_patterns(self.caller, narrow))


class PatternView(WorkspaceView):
    """One pattern: how sure it is, what helps, and what its warnings changed."""

    action_types = None
    answers = {"GET": PatternResponse}

    def get(self, request: Request, ws: str, pattern_id: str) -> Response:
        return self.answer(PatternResponse.of(access_pattern(self.caller, path_id(pattern_id))))


class EvaluateView(WorkspaceView):
    """Look for patterns now, without waiting for the next quarter of an hour."""

    action_types = None
    answers = {"POST": EvaluatedResponse}

    def post(self, request: Request, ws: str) -> Response:
        self.body(NoBody)
        return self.answer(EvaluatedResponse.of(evaluation.evaluate_patterns(caller=self.caller)))


class AnnotateView(WorkspaceView):
    """Note something on a pattern, or keep it from agents."""

    action_types = None
    reads = {"POST": AnnotationInput}
    answers = {"POST": PatternResponse}

    def post(self, request: Request, ws: str, pattern_id: str) -> Response:
        given = self.body(AnnotationInput)
        pattern = pattern_admin.annotate_pattern(
            caller=self.caller,
            pattern_id=path_id(pattern_id),
            annotation=given.annotation,
            suppressed=given.suppressed,
        )
        return self.answer(PatternResponse.of(pattern))


class SuppressionView(WorkspaceView):
    """Keep every pattern whose key begins like this from agents, or lift that."""

    action_types = None
    reads = {"POST": SuppressionInput}
    answers = {"POST": ChangedPatternsResponse}
    suppressed: ClassVar[bool] = True

    def post(self, request: Request, ws: str) -> Response:
        prefix = self.body(SuppressionInput).key_prefix
        changed = pattern_admin.suppress_patterns(caller=self.caller, suppressed=self.suppressed, key_prefix=prefix)
        return self.answer(ChangedPatternsResponse(changed=[PatternResponse.of(pattern) for pattern in changed]))
