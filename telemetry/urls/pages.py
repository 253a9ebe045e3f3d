"""Console addresses of Agents, under /w/<slug>/agents, and of Live."""

from django.urls import URLPattern, path

from telemetry.live.pages import counters, live
from telemetry.metrics.pages import back_fill, benchmarks, delete_metric, metric, new_metric
from telemetry.patterns.pages import annotate, evaluate, pattern, patterns, suppress
from telemetry.sequences.pages import sequence, timeline

AGENTS = "w/<slug:slug>/agents"
PATTERN = f"{AGENTS}/patterns/<uuid:pattern_id>"
METRIC = f"{AGENTS}/metrics/<uuid:metric_id>"

urlpatterns: list[URLPattern] = [
    path("w/<slug:slug>/live", live, name="live"),
    path("w/<slug:slug>/live/counters", counters, name="live-counters"),
    path(AGENTS, timeline, name="agents"),
    path(f"{AGENTS}/sequences/<uuid:sequence_id>", sequence, name="agent-sequence"),
    path(f"{AGENTS}/patterns", patterns, name="agent-patterns"),
    path(f"{AGENTS}/patterns/evaluate", evaluate, name="agent-patterns-evaluate"),
    path(PATTERN, pattern, name="agent-pattern"),
    path(f"{PATTERN}/annotate", annotate, name="agent-pattern-annotate"),
    path(f"{PATTERN}/suppress", suppress, {"suppressed": True}, name="agent-pattern-suppress"),
    path(f"{PATTERN}/unsuppress", suppress, {"suppressed": False}, name="agent-pattern-unsuppress"),
    path(f"{AGENTS}/benchmarks", benchmarks, name="agent-benchmarks"),
    path(f"{AGENTS}/metrics/new", new_metric, name="agent-metric-new"),
    path(METRIC, metric, name="agent-metric"),
    path(f"{METRIC}/back-fill", back_fill, name="agent-metric-back-fill"),
    path(f"{METRIC}/delete", delete_metric, name="agent-metric-delete"),
]
