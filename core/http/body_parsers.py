"""Reading request bodies: bounded in size, depth, lines and values, strict about JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from io import StringIO
from typing import IO, Any, NoReturn

from django.conf import settings
from rest_framework.parsers import BaseParser

from core.errors import ProductError, TooLargeError
from core.http.problems import MalformedError
from core.text.json_limits import has_more_values

# A body is read and checked while nothing else of the process runs: what that costs goes by its values and lines, more
# than by its bytes. An empty list takes two bytes and a comma to send, and twenty times as much to keep.
MAX_JSON_VALUES, MAX_JSON_VALUES_OF_LINES = 200_000, 1_000_000
MAX_LINES = 10_000
# Lines that are not JSON; of more, the whole body is refused.
MAX_MALFORMED_LINES = 1_000
# Empty lines for each line that is allowed.
MAX_EMPTY_LINES = 10


class BodyTooLargeError(TooLargeError):
    """The whole request is over the limit."""

    code = "body_too_large"


class TooManyValuesError(TooLargeError):
    """The body holds more JSON values than are read in one request."""

    code = "too_many_values"
    title = "The body holds too many JSON values. Send fewer in one request."


class LengthRequiredError(ProductError):
    """A body in chunks of unknown number, which WSGI would pass on as an empty one."""

    code = "length_required"
    status = 411
    title = "Send the body with its Content-Length, not in chunks."


class BoundedJSONParser(BaseParser):
    """JSON in UTF-8 of at most `most_bytes`; NaN, Infinity, bottomless nesting and a name given twice are refused."""

    media_type = "application/json"

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        text = _read_text(stream, parser_context)
        refuse_values(text)
        return _read_json(text)


@dataclass(frozen=True, slots=True)
class JSONLine:
    """One line of a body of JSON Lines, counted from 1: its value, or why it has none."""

    number: int
    value: Any = None
    # A text: an exception would keep its line, its frames and its cause.
    malformed: str = ""

    def read(self) -> Any:
        """Return the value. Raises MalformedError where there is none."""
        if self.malformed:
            raise MalformedError(self.malformed)
        return self.value


class JSONLinesParser(BaseParser):
    """JSON Lines as a list of `JSONLine`, at most the `most_lines` of the view; empty lines are passed over.

    A body without any line of JSON is refused, and one with more than `MAX_MALFORMED_LINES` others.
    """

    media_type = "application/x-ndjson"

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        text = _read_text(stream, parser_context)
        _refuse_lines(text, limit=getattr((parser_context or {}).get("view"), "most_lines", MAX_LINES))
        refuse_values(text, limit=MAX_JSON_VALUES_OF_LINES)
        lines: list[JSONLine] = []
        malformed: list[JSONLine] = []
        for number, written in _lines(text):
            lines.append(line := _read_line(number, written))
            if line.malformed:
                malformed.append(line)
            if len(malformed) > MAX_MALFORMED_LINES:
                raise MalformedError(f"More than {MAX_MALFORMED_LINES:,} lines are not JSON: {malformed[0].malformed}")
        if lines and len(malformed) == len(lines):
            lines[0].read()
        return lines


class JSONLParser(JSONLinesParser):
    """JSON Lines by their other name."""

    media_type = "application/jsonl"


class JSONLinesAsJSONParser(JSONLinesParser):
    """JSON Lines from clients that call everything JSON; one object alone is a line, too."""

    media_type = "application/json"


JSON_LINES = (JSONLinesParser, JSONLParser, JSONLinesAsJSONParser)


def require_lines(body: Any) -> list[JSONLine]:
    """Return the lines of a request's data, one or more. Raises MalformedError for an empty body, which no parser
    sees."""
    if not body:
        raise MalformedError("There is no line: send a JSON object in each.")
    return list(body)


def _read_line(number: int, line: str) -> JSONLine:
    try:
        return JSONLine(number, _read_json(line))
    except MalformedError as error:
        return JSONLine(number, malformed=error.detail)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines that are not empty, one at a time, with their numbers from 1."""
    for number, line in enumerate(StringIO(text, newline="\n"), start=1):
        if line.strip():
            yield number, line.rstrip("\n")


def _refuse_lines(text: str, *, limit: int) -> None:
    """Raise TooLargeError for more lines than the limit, before any of them is read."""
    ends = text.count("\n")
    if ends < limit:
        return
    if ends > limit * MAX_EMPTY_LINES:
        raise TooLargeError(f"At most {limit:,} lines in a request; this one has {ends:,}.")
    number = sum(1 for _ in _lines(text))
    if number > limit:
        raise TooLargeError(f"At most {limit:,} lines in a request; this one has {number:,}.")


def refuse_values(text: str, *, limit: int = MAX_JSON_VALUES) -> None:
    """Raise TooManyValuesError for more values than the limit: commas and opening brackets outside of strings."""
    if has_more_values(text, limit=limit):
        raise TooManyValuesError(f"At most {limit:,} JSON values in a request, counted by commas and opening brackets.")


def _read_text(stream: IO[Any], parser_context: Mapping[str, Any] | None) -> str:
    limit = most_bytes((parser_context or {}).get("view"))
    body = stream.read(limit + 1)
    if len(body) > limit:
        raise BodyTooLargeError(f"The body is larger than {limit:,} bytes.")
    try:
        return str(body.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise MalformedError("The body is not UTF-8.") from error


def _read_json(text: str) -> Any:
    try:
        return json.loads(text, parse_constant=_refuse_constant, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        raise MalformedError(
            f"{error.msg.removesuffix(' at')} at line {error.lineno}, column {error.colno}."
        ) from error
    except (RecursionError, ValueError) as error:
        raise MalformedError("The body is nested too deeply or holds a number that is too large.") from error


def most_bytes(view: object) -> int:
    """Return the longest body that a view reads: `MAX_BODY_BYTES`, or the setting that the view names as its
    `body_limit`."""
    return int(getattr(settings, getattr(view, "body_limit", "MAX_BODY_BYTES")))


def _refuse_constant(name: str) -> NoReturn:
    raise MalformedError(f"{name} is not a JSON value.")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object, unless it has a name twice: parsers differ in which of the two they would believe."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise MalformedError("An object has the same name twice.")
    return found
