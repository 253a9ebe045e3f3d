"""Reading request bodies: bounded in size and depth, strict about JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import IO, Any, NoReturn

from django.conf import settings
from rest_framework.parsers import BaseParser

from core.errors import ProductError, TooLargeError
from core.http.problems import MalformedError


class BodyTooLargeError(TooLargeError):
    """The whole request is over the limit."""

    code = "body_too_large"


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
        return _read_json(_read_text(stream, parser_context))


@dataclass(frozen=True, slots=True)
class JSONLine:
    """One line of a body of JSON Lines, counted from 1: its value, or why it has none."""

    number: int
    value: Any = None
    error: MalformedError | None = None

    def read(self) -> Any:
        """Return the value. Raises MalformedError where there is none."""
        if self.error:
            raise self.error
        return self.value


class JSONLinesParser(BaseParser):
    """JSON Lines as a list of `JSONLine`; empty lines are passed over. A body without any line of JSON is refused."""

    media_type = "application/x-ndjson"

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        text = _read_text(stream, parser_context)
        lines = [_read_line(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
        if lines and all(line.error for line in lines):
            raise lines[0].error or MalformedError()
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
        return JSONLine(number, error=error)


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
