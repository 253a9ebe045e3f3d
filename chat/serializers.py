"""The JSON of a chat turn, as a whole and as server-sent events."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from chat.services.turns import Answered, AnswerToken, Event, Failed, Recalled
from conversations.messages.serializers import message_json
from core.http.problems import problem_body
from memory.citations.serializers import finished_json, run_json
from memory.recall.services.context import Context


def render_sse(events: Iterator[Event]) -> Iterator[bytes]:
    """The events of a turn on the wire: `trace`, `token`, `citation`, then `done` or `error`; data is JSON."""
    for event in events:
        for name, data in _name_events(event):
            yield f"event: {name}\ndata: {json.dumps(data)}\n\n".encode()


def answered_json(event: Answered) -> dict[str, Any]:
    """The whole answer of a turn that is not streamed, and the data of the event `done`."""
    return {
        "message": message_json(event.message),
        **finished_json(event.finished),
        "model": event.model or None,
        "left_out": list(event.context.left_out),
        "receipt_id": event.context.receipt_id and str(event.context.receipt_id),
        "trace": trace_json(event.context),
        "latency_ms": event.milliseconds,
    }


def failed_json(event: Failed) -> dict[str, Any]:
    """A turn that the model failed: a problem, and the run that it ended."""
    return {**problem_body(event.error), "run": run_json(event.run)}


def trace_json(context: Context) -> list[dict[str, Any]]:
    return [
        {
            "layer": layer.layer,
            "ms": layer.milliseconds,
            "found": layer.found,
            "left_out": layer.is_left_out,
        }
        for layer in context.trace
    ]


def _name_events(event: Event) -> Iterator[tuple[str, dict[str, Any]]]:
    if isinstance(event, AnswerToken):
        yield "token", {"text": event.text}
    elif isinstance(event, Recalled):
        context = event.context
        yield (
            "trace",
            {
                "layers": trace_json(context),
                "left_out": list(context.left_out),
                "receipt_id": context.receipt_id and str(context.receipt_id),
                "tokens_used": context.assembled.tokens_used,
                "token_budget": context.token_budget,
            },
        )
    elif isinstance(event, Failed):
        yield "error", failed_json(event)
    else:
        for citation in event.finished.citations:
            yield "citation", {"memory_id": str(citation.memory_id), "counted": citation.is_counted}
        for identity in event.finished.node_ids:
            yield "citation", {"node_id": str(identity), "counted": event.finished.is_counted}
        yield "done", answered_json(event)
