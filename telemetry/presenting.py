"""The JSON of actions, sequences, patterns and benchmarks: one function for each shape that clients rely on."""

from __future__ import annotations

from datetime import date
from typing import Any

from core.clock import moment
from telemetry.mining import effect
from telemetry.models import Action, Metric, Pattern, Sequence
from telemetry.selectors import History
from telemetry.services.injecting import Injected


def action_json(action: Action) -> dict[str, Any]:
    return {
        "id": str(action.id),
        "session": action.session,
        "agent": action.agent,
        "action_type": action.action_type,
        "tool": action.tool or None,
        "node_type": action.node_type or None,
        "node_ids": [str(identity) for identity in action.node_ids],
        "outcome": action.outcome,
        "error_code": action.error_code or None,
        "latency_ms": action.latency_ms,
        "occurred_at": moment(action.occurred_at),
    }


def sequence_json(sequence: Sequence) -> dict[str, Any]:
    return {
        "id": str(sequence.id),
        "session": sequence.session,
        "agent": sequence.agent,
        "outcome": sequence.outcome,
        "action_count": sequence.action_count,
        "failure_count": sequence.failure_count,
        "duration_ms": sequence.duration_ms,
        "intent_summary": sequence.intent.summary,
        "started_at": moment(sequence.started_at),
        "ended_at": moment(sequence.ended_at),
    }


def pattern_json(pattern: Pattern) -> dict[str, Any]:
    return {
        "id": str(pattern.id),
        "key": pattern.key,
        "action_type": pattern.action_type,
        "node_type": pattern.node_type or None,
        "error_code": pattern.error_code,
        "status": pattern.status,
        "confidence": round(pattern.confidence, 4),
        "support": pattern.support,
        "attempts": pattern.attempts,
        "recommendation": pattern.recommendation,
        "recommended_by": pattern.recommended_by,
        "annotation": pattern.annotation or None,
        "annotated_by": pattern.annotated_by or None,
        "suppressed": pattern.is_suppressed,
        "suppressed_at": moment(pattern.suppressed_at),
        "suppressed_by": pattern.suppressed_by or None,
        "effect": effect_json(pattern),
        "promoted_at": moment(pattern.promoted_at),
        "retired_at": moment(pattern.retired_at),
        "created_at": moment(pattern.created_at),
    }


def effect_json(pattern: Pattern) -> dict[str, Any]:
    """How often the error came after a warning and without one; `difference` is null until both sides have cases."""
    found = effect(
        shown=pattern.shown,
        shown_failed=pattern.shown_failed,
        held_out=pattern.held_out,
        held_out_failed=pattern.held_out_failed,
    )
    return {
        "shown": pattern.shown,
        "shown_failed": pattern.shown_failed,
        "held_out": pattern.held_out,
        "held_out_failed": pattern.held_out_failed,
        "difference": round(found.difference, 4) if found else None,
        "margin": round(found.margin, 4) if found else None,
    }


def injected_json(injected: Injected) -> dict[str, Any]:
    return {
        "text": injected.text,
        "tokens": injected.tokens,
        "held_out": injected.is_held_out,
        "patterns": [pattern_json(pattern) for pattern in injected.patterns],
    }


def metric_json(metric: Metric) -> dict[str, Any]:
    return {
        "id": str(metric.id),
        "name": metric.name,
        "description": metric.description or None,
        "builtin": metric.is_builtin,
        "event_filter": metric.event_filter,
        "success_condition": metric.success_condition,
        "aggregation": metric.aggregation,
        "measure": metric.measure,
        "window_days": metric.window_days,
        "created_at": moment(metric.created_at),
        "updated_at": moment(metric.updated_at),
    }


def benchmark_json(history: History) -> dict[str, Any]:
    latest = history.latest
    return {
        "metric": history.metric.name,
        "points": [point_json(point.date, point.value, point.sequences) for point in history.points],
        "latest": latest.value if latest else None,
        "trend": history.trend,
    }


def point_json(day: date, value: float | None, sequences: int) -> dict[str, Any]:
    return {"date": day.isoformat(), "value": value, "sequences": sequences}
