"""The JSON of actions, sequences, patterns and benchmarks: one function for each shape that clients rely on."""

from __future__ import annotations

from typing import Any

from core.clock import moment
from telemetry.models import Action


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
