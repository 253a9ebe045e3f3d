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
    return str(value).encode()


@schemathesis.hook
def filter_failure(
    context: Any, failure: Failure, case: schemathesis.Case[Any], response: schemathesis.Response
) -> bool:
    """Let go what counts as accepted although it was refused as the document says, or never sent."""
    if not isinstance(failure, AcceptedNegativeData) or case.meta is None:
        return True
    wrong = {location.value for location, how in case.meta.components.items() if how.mode.is_negative}
    if wrong == {"body"} and case.media_type == JSON_LINES:
        return not (has_objects(case.body) or is_refused_by_line(response))
    return case.meta.phase.data.parameter != "ws"  # the workspace of the key takes the place of any other


def has_objects(body: Any) -> bool:
    """Whether what was meant to be no text at all, such as `{}`, is an object in each line when it is sent."""
    try:
        return all(isinstance(json.loads(line), dict) for line in str(body).strip().split("\n"))
    except ValueError:
        return False


def is_refused_by_line(response: schemathesis.Response) -> bool:
    """`5` is a line of JSON, and no object: the answer is 200, and its result for the line a refusal."""
    results = response.json().get("results", [])
    return bool(results) and all(line["status"] == "refused" for line in results)
