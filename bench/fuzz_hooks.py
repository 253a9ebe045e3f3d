"""What schemathesis does not know by itself: how to write JSON Lines."""

from __future__ import annotations

from typing import Any

import schemathesis


@schemathesis.serializer("application/x-ndjson")
def json_lines(context: Any, value: Any) -> bytes:
    """The document says that a body of JSON Lines is a text."""
    return value.encode() if isinstance(value, str) else str(value).encode()
