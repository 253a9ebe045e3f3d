"""What schemathesis does not know by itself: how to write JSON Lines."""

from __future__ import annotations

import json
from typing import Any

import schemathesis
from hypothesis import strategies as st

OBJECTS = st.dictionaries(st.text(max_size=12), st.text(max_size=12) | st.integers() | st.booleans(), max_size=4)
schemathesis.openapi.format(
    "json-lines", st.lists(OBJECTS, min_size=1, max_size=4).map(lambda all: "\n".join(map(json.dumps, all)))
)


@schemathesis.serializer("application/x-ndjson")
def json_lines(context: Any, value: Any) -> bytes:
    """The document says that a body of JSON Lines is a text."""
    return value.encode() if isinstance(value, str) else str(value).encode()
