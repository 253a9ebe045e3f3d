"""What schemathesis does not know by itself: how to write JSON Lines, and how a line is refused."""

from __future__ import annotations

import json
from typing import Any

import schemathesis
from hypothesis import strategies as st
from schemathesis.core.failures import AcceptedNegativeData, Failure

JSON_LINES = "application/x-ndjson"
OBJECTS = st.dictionaries(st.text(max_size=12), st.text(max_size=12) | st.integers() | st.booleans(), max_size=4)
schemathesis.openapi.format(
    "json-lines", st.lists(OBJECTS, min_size=1, max_size=4).map(lambda all: "\n".join(map(json.dumps, all)))
)


@schemathesis.serializer(JSON_LINES)
def json_lines(context: Any, value: Any) -> bytes:
    """The document says that a body of JSON Lines is a text."""
    return value.encode() if isinstance(value, str) else str(value).encode()


@schemathesis.hook
def filter_failure(
    context: Any, failure: Failure, case: schemathesis.Case[Any], response: schemathesis.Response
) -> bool:
    """`5` is a line of JSON, and no object: it is refused as the document says, in an answer that is 200."""
    if not isinstance(failure, AcceptedNegativeData) or case.media_type != JSON_LINES or case.meta is None:
        return True
    wrong = {location.value for location, how in case.meta.components.items() if how.mode.is_negative}
    results = response.json().get("results", [])
    return wrong != {"body"} or not results or any(line["status"] != "refused" for line in results)
