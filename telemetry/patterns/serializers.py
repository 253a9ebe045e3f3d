"""The JSON of actions, sequences, patterns and benchmarks: one function for each shape that clients rely on."""

from __future__ import annotations

from typing import Any

from core.clock import moment
from telemetry.models import Pattern
from telemetry.patterns.mining import effect
from telemetry.patterns.services.injection import InjectedWarning


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


def injected_json(injected: InjectedWarning) -> dict[str, Any]:
    return {
        "text": injected.text,
        "tokens": injected.tokens,
        "held_out": injected.is_held_out,
        "patterns": [pattern_json(pattern) for pattern in injected.patterns],
    }
