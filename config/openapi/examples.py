"""Examples of bodies and problems, for the document and for tests that call every address."""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any

MANIFEST = {
    "@kind": "manifest",
    "format": "workspace-memory-export",
    "version": 1,
    "contents": [],
    "sha256": hashlib.sha256().hexdigest(),
}
# Bodies of the addresses whose schema has no examples; one that is not named here takes an empty body.
BODIES: dict[tuple[str, str], dict[str, Any]] = {
    ("POST", "api-import-bulk"): MANIFEST,
    ("PUT", "api-import-part-bulk"): MANIFEST,
}

_PLACEHOLDER = re.compile(r"<\w+>")
SOME_ID = "01a2009e-7f3a-7c1e-9b52-3f0e6a1d2c4b"
CODES = {
    400: ("malformed_json", "The body is not valid JSON."),
    401: ("unauthenticated", "Sign in, or send a valid API key as a bearer token."),
    402: ("budget_exceeded", "The workspace's credits for this month are used up."),
    403: ("missing_scope", "This API key lacks the scope 'write'."),
    404: ("not_found", "There is no such object in this workspace."),
    406: ("not_acceptable", "This address answers in JSON only."),
    409: ("conflict", "The object is in a state that does not allow this."),
    410: ("workspace_deleted", "The workspace of this API key is being deleted."),
    411: ("length_required", "Send the body with its Content-Length, not in chunks."),
    413: ("body_too_large", "The body is larger than 1,048,576 bytes."),
    415: ("unsupported_media_type", "Send the body as application/json."),
    422: ("invalid", "content: This field is required."),
    429: ("too_many_requests", "That was too often. Wait a little, then try again."),
    502: ("model_error", "The model provider failed."),
    503: ("unavailable", "A service behind this server is not answering. Nothing was changed; try again."),
}


def body(method: str, name: str) -> dict[str, Any]:
    """Return the example of a door's body; an empty one where it takes none."""
    return with_ids(BODIES.get((method, name), {}))


def with_ids(example: dict[str, Any]) -> dict[str, Any]:
    """Return an example with an id in the place of each placeholder."""
    return dict(json.loads(_PLACEHOLDER.sub(SOME_ID, json.dumps(example))))


def lines(value: dict[str, Any]) -> str:
    """Return an example as JSON Lines."""
    return json.dumps(value) + "\n"


def problem(status: int) -> dict[str, Any]:
    """Return an example of the problem with a status."""
    code, detail = CODES[status]
    urn = f"urn:workspace-memory:problem:{code}"
    return {"type": urn, "title": detail, "status": status, "detail": detail, "code": code}
