"""REST addresses of telemetry, under /v1/workspaces/{ws}/."""

from django.urls import URLPattern, path

from telemetry.actions.api import ActionsView
from telemetry.live.api import EventsView
from telemetry.metrics.api import BenchmarkView, MetricsView, MetricView
from telemetry.patterns.api import AnnotateView, EvaluateView, PatternsView, PatternView, SuppressionView
from telemetry.sequences.api import SequencesView, SequenceView

urlpatterns: list[URLPattern] = [
    path("actions", ActionsView.as_view(), name="api-actions"),
    path("events", EventsView.as_view(), name="api-events"),
    path("sequences", SequencesView.as_view(), name="api-sequences"),
    path("sequences/<str:sequence_id>", SequenceView.as_view(), name="api-sequence"),
    path("patterns", PatternsView.as_view(), name="api-patterns"),
    path("patterns/evaluate", EvaluateView.as_view(), name="api-patterns-evaluate"),
    path("patterns/suppress", SuppressionView.as_view(), name="api-patterns-suppress"),
    path("patterns/unsuppress", SuppressionView.as_view(suppressed=False), name="api-patterns-unsuppress"),
    path("patterns/<str:pattern_id>", PatternView.as_view(), name="api-pattern"),
    path("patterns/<str:pattern_id>/annotate", AnnotateView.as_view(), name="api-pattern-annotate"),
    path("metrics", MetricsView.as_view(), name="api-metrics"),
    path("metrics/<str:metric_id>", MetricView.as_view(), name="api-metric"),
    path("benchmarks/<path:metric>", BenchmarkView.as_view(), name="api-benchmark"),
]
