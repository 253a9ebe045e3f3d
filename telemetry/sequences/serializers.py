"""The JSON of actions, sequences, patterns and benchmarks: one function for each shape that clients rely on."""

from __future__ import annotations

from typing import Any

from core.clock import moment
from telemetry.models import Sequence


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
