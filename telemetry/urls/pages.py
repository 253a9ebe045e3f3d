"""Console addresses of Agents, under /w/<slug>/agents."""

from django.urls import URLPattern, path

from telemetry import pages

AGENTS = "w/<slug:slug>/agents"
PATTERN = f"{AGENTS}/patterns/<uuid:pattern_id>"
METRIC = f"{AGENTS}/metrics/<uuid:metric_id>"

urlpatterns: list[URLPattern] = [
    path(AGENTS, pages.timeline, name="agents"),
    path(f"{AGENTS}/sequences/<uuid:sequence_id>", pages.sequence, name="agent-sequence"),
    path(f"{AGENTS}/patterns", pages.patterns, name="agent-patterns"),
    path(f"{AGENTS}/patterns/evaluate", pages.evaluate, name="agent-patterns-evaluate"),
    path(PATTERN, pages.pattern, name="agent-pattern"),
    path(f"{PATTERN}/annotate", pages.annotate, name="agent-pattern-annotate"),
    path(f"{PATTERN}/suppress", pages.suppress, {"suppressed": True}, name="agent-pattern-suppress"),
    path(f"{PATTERN}/unsuppress", pages.suppress, {"suppressed": False}, name="agent-pattern-unsuppress"),
    path(f"{AGENTS}/benchmarks", pages.benchmarks, name="agent-benchmarks"),
    path(f"{AGENTS}/metrics/new", pages.new_metric, name="agent-metric-new"),
    path(METRIC, pages.metric, name="agent-metric"),
    path(f"{METRIC}/back-fill", pages.back_fill, name="agent-metric-back-fill"),
]
