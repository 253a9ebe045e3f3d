"""Operation of the OpenAPI document: what a method of a view reads and answers, as the view declares it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from core.http.schemas import NoBody, RequestSchema

Reader = type[RequestSchema]
JSON_LINES = "application/x-ndjson"


@dataclass(frozen=True)
class Operation:
    """`reads` may be several: any of these. `gives` are the shapes of good answers by status; None for no body."""

    gives: dict[int, Any]
    reads: tuple[Reader, ...] = ()
    takes_lines: bool = False
    streams: tuple[str, ...] = ()
    scope_parameters: bool = False


def declared_operation(view: Any, method: str) -> Operation:
    """Return what a view says of one of its methods. Raises KeyError for one that says nothing."""
    answers = view.answers[method]
    reads = view.reads.get(method, () if method == "GET" else NoBody)
    gives = answers if isinstance(answers, dict) else {204: None} if answers is None else {200: answers}
    return Operation(
        gives,
        reads if isinstance(reads, tuple) else (reads,),
        takes_lines=method in view.reads_lines,
        streams=view.streams.get(method, ()),
        scope_parameters=view.takes_scope,
    )
