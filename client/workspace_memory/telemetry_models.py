"""What the server answers about patterns, sequences and metrics, typed.

Written by `manage.py write_sdk` from the server's schemas.
"""

from __future__ import annotations

from datetime import datetime

from workspace_memory.base_models import Answer
from workspace_memory.models import StoredAction

__all__ = [
    "ActionSequence",
    "ActionSequenceDetail",
    "Benchmark",
    "ChangedPatterns",
    "EvaluatedPatterns",
    "Metric",
    "MetricPoint",
    "MetricTrial",
    "Pattern",
    "PatternEffect",
    "PatternWarnings",
]


class PatternEffect(Answer):
    """How often the error came after a warning and without one; `difference` is null until both sides have cases."""

    shown: int
    shown_failed: int
    held_out: int
    held_out_failed: int
    difference: float | None = None
    margin: float | None = None


class Pattern(Answer):
    """Something that keeps going wrong, what helps, and what its warnings changed."""

    id: str
    key: str
    action_type: str
    node_type: str | None = None
    error_code: str
    status: str
    confidence: float
    support: int
    attempts: int
    recommendation: str
    recommended_by: str
    annotation: str | None = None
    annotated_by: str | None = None
    suppressed: bool
    suppressed_at: datetime | None = None
    suppressed_by: str | None = None
    effect: PatternEffect
    promoted_at: datetime
    retired_at: datetime | None = None
    created_at: datetime


class EvaluatedPatterns(Answer):
    """What a look for patterns changed: those that were promoted or retired, and how many rows in all."""

    promoted: list[str]
    retired: list[str]
    changed: int


class ChangedPatterns(Answer):
    """The patterns that a call changed."""

    changed: list[Pattern]


class PatternWarnings(Answer):
    """The warnings that an agent gets before it acts: nothing where nothing is known, and where they are held out."""

    text: str
    tokens: int
    held_out: bool
    patterns: list[Pattern]


class ActionSequence(Answer):
    """Actions of one session that follow each other."""

    id: str
    session: str
    agent: str
    outcome: str
    action_count: int
    failure_count: int
    duration_ms: int
    intent_summary: str
    started_at: datetime
    ended_at: datetime


class ActionSequenceDetail(ActionSequence):
    """The same with its actions in order."""

    actions: list[StoredAction]


class Metric(Answer):
    """Something that is measured every night over the sequences of a workspace."""

    id: str
    name: str
    description: str | None = None
    builtin: bool
    event_filter: str
    success_condition: str
    aggregation: str
    measure: str
    window_days: int
    created_at: datetime
    updated_at: datetime


class MetricPoint(Answer):
    """The value of a metric on a day, and the number of sequences; null where nothing could be measured."""

    date: str
    value: float | None = None
    sequences: int


class MetricTrial(Answer):
    """What a metric would have said of the last days."""

    points: list[MetricPoint]


class Benchmark(Answer):
    """The values of a metric, oldest first, and where the last ones are heading."""

    metric: str
    points: list[MetricPoint]
    latest: float | None = None
    trend: str | None = None
