"""Lines of an export that a request brings, as a body or as a file of a form."""

from __future__ import annotations

from typing import IO, Any

from core.http.body_parsers import JSONLinesParser, require_lines
from core.http.problems import MalformedError

# Far more than lines of an export fit into MAX_BULK_BYTES; lines of nothing are not read one by one.
MAX_RECORDS_IN_A_BODY = 200_000


class _FileLimits:
    """The limits of a file, as the parser reads them of a view."""

    body_limit = "MAX_BULK_BYTES"
    most_lines = MAX_RECORDS_IN_A_BODY


def file_lines(file: IO[bytes]) -> list[Any]:
    """Return the values of an uploaded file. Raises MalformedError, BodyTooLargeError, TooLargeError."""
    return whole_lines(JSONLinesParser().parse(file, parser_context={"view": _FileLimits}))


def whole_lines(body: Any) -> list[Any]:
    """Return the values of a body of JSON Lines. Raises MalformedError for the first line that has none."""
    lines = require_lines(body)
    for line in lines:
        if line.malformed:
            raise MalformedError(f"Line {line.number}: {line.malformed}")
    return [line.value for line in lines]
