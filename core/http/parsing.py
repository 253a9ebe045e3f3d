"""Reading request bodies: bounded in size and depth, strict about JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import IO, Any, NoReturn

from django.conf import settings
from rest_framework.parsers import BaseParser

from core.errors import TooLargeError
from core.http.problems import MalformedError


class BodyTooLargeError(TooLargeError):
    """The whole request is over the limit."""

    code = "body_too_large"


class BoundedJSONParser(BaseParser):
    """JSON in UTF-8 of at most `most_bytes`; NaN, Infinity and bottomless nesting are refused."""

    media_type = "application/json"

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        limit = most_bytes((parser_context or {}).get("view"))
        body = stream.read(limit + 1)
        if len(body) > limit:
            raise BodyTooLargeError(f"The body is larger than {limit:,} bytes.")
        try:
            return json.loads(body.decode("utf-8"), parse_constant=_refuse_constant)
        except UnicodeDecodeError as error:
            raise MalformedError("The body is not UTF-8.") from error
        except json.JSONDecodeError as error:
            raise MalformedError(f"{error.msg} at line {error.lineno}, column {error.colno}.") from error
        except (RecursionError, ValueError) as error:
            raise MalformedError("The body is nested too deeply or holds a number that is too large.") from error


def most_bytes(view: object) -> int:
    """The longest body that a view reads: `MAX_BODY_BYTES`, or the setting that the view names as its `body_limit`."""
    return int(getattr(settings, getattr(view, "body_limit", "MAX_BODY_BYTES")))


def _refuse_constant(name: str) -> NoReturn:
    raise MalformedError(f"{name} is not a JSON value.")
