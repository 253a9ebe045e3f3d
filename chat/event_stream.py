"""The events of a chat turn on the wire."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from chat.schemas import RecalledResponse, TurnResponse
from chat.services.turns import AnswerToken, Event, Failed, Recalled
from core.http.problems import problem_body
from memory.citations.schemas import CountedMemoryResponse, CountedNodeResponse, RunResponse


def render_sse(events: Iterator[Event]) -> Iterator[bytes]:
    """Yield the events of a turn on the wire: `trace`, `token`, `citation`, then `done` or `error`; data is JSON."""
    for event in events:
        for name, data in _name_events(event):
            yield encode_event(name, data)


def encode_event(name: str, data: Mapping[str, Any]) -> bytes:
    """Return one server-sent event, whose data is JSON."""
    return f"event: {name}\ndata: {json.dumps(data)}\n\n".encode()


def failed_json(event: Failed) -> dict[str, Any]:
    """Return a turn that the model failed: a problem, and the run that it ended."""
    return {**problem_body(event.error), "run": RunResponse.of(event.run).as_json()}


def _name_events(event: Event) -> Iterator[tuple[str, dict[str, Any]]]:
    if isinstance(event, AnswerToken):
        yield "token", {"text": event.text}
    elif isinstance(event, Recalled):
        yield "trace", RecalledResponse.of(event.context).as_json()
    elif isinstance(event, Failed):
        yield "error", failed_json(event)
    else:
        for citation in event.finished.citations:
            yield "citation", CountedMemoryResponse.of(citation).as_json()
        for node in event.finished.nodes:
            yield "citation", CountedNodeResponse.of(node).as_json()
        yield "done", TurnResponse.of(event).as_json()
