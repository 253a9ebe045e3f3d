"""REST addresses of telemetry, under /v1/workspaces/{ws}/."""

from django.urls import URLPattern, path

from telemetry import api

urlpatterns: list[URLPattern] = [
    path("actions", api.ActionsView.as_view(), name="api-actions"),
    path("sequences", api.SequencesView.as_view(), name="api-sequences"),
    path("sequences/<str:sequence_id>", api.SequenceView.as_view(), name="api-sequence"),
    path("patterns", api.PatternsView.as_view(), name="api-patterns"),
    path("patterns/evaluate", api.EvaluateView.as_view(), name="api-patterns-evaluate"),
    path("patterns/suppress", api.SuppressionView.as_view(), name="api-patterns-suppress"),
    path("patterns/unsuppress", api.SuppressionView.as_view(suppressed=False), name="api-patterns-unsuppress"),
    path("patterns/<str:pattern_id>", api.PatternView.as_view(), name="api-pattern"),
    path("patterns/<str:pattern_id>/annotate", api.AnnotateView.as_view(), name="api-pattern-annotate"),
    path("metrics", api.MetricsView.as_view(), name="api-metrics"),
    path("metrics/<str:metric_id>", api.MetricView.as_view(), name="api-metric"),
    path("benchmarks/<path:metric>", api.BenchmarkView.as_view(), name="api-benchmark"),
]
