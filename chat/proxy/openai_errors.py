"""Errors in the form of OpenAI's API, next to the problem details that every door answers."""

from __future__ import annotations

import json
from typing import Any

from rest_framework.response import Response

from core.errors import ProductError
from core.http.problems import problem_body

TYPES = {401: "authentication_error", 402: "insufficient_quota", 403: "permission_error", 429: "rate_limit_error"}


def with_openai_error(answer: Response) -> Response:
    """Return the answer of a refusal, with an `error` as programs of OpenAI's API read it; any other as it is."""
    if answer.status_code >= 400 and isinstance(answer.data, dict):
        answer.data = {**answer.data, "error": _error(answer.data)}
    return answer


def encode_error(error: ProductError) -> bytes:
    """Return an error as an event of a stream that has begun."""
    return f"data: {json.dumps({'error': _error(problem_body(error))})}\n\n".encode()


def _error(problem: dict[str, Any]) -> dict[str, Any]:
    status = int(problem["status"])
    fields = problem.get("errors", ())
    return {
        "message": problem["detail"],
        "type": TYPES.get(status, "invalid_request_error" if status < 500 else "server_error"),
        "param": fields[0]["field"] if fields else None,
        "code": problem["code"],
    }
