"""What a line of a log holds: the request or task it belongs to, no query strings, and no values of exceptions."""

from __future__ import annotations

import logging
import re
import sys
import traceback
from collections.abc import Iterator, Sequence
from functools import cache
from urllib.parse import unquote

from django.urls import URLPattern, URLResolver, get_resolver

from core.log_context import log_label

# What stands for a segment of an address that a client has chosen: a user, a conversation, a slot.
MASK = "*"
_PARAMETER = re.compile(r"<[^>]*>|[^\w.\-/]")
_ID = re.compile(r"[0-9]{1,6}|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")


class LineFormatter(logging.Formatter):
    """Ends a line with the id of its request or task, and writes tracebacks without the messages of exceptions, which
    quote what people stored: files, lines and kinds.
    """

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  # logging's name
        line, label = super().formatMessage(record), log_label()
        return f"{line} {label}" if label else line

    def formatException(self, ei: object) -> str:  # noqa: N802  # logging's name
        error = ei[1] if isinstance(ei, tuple) else sys.exc_info()[1]
        return trace_without_values(error) if error else ""


def trace_without_values(error: BaseException) -> str:
    """Return where an error and those behind it were raised, each named by its kind only, the first one first."""
    behind = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    earlier = f"{trace_without_values(behind)}\n\nwhich led to:\n\n" if behind else ""
    kind = f"{type(error).__module__}.{type(error).__qualname__}".removeprefix("builtins.")
    frames = "".join(traceback.format_tb(error.__traceback__))
    return f"{earlier}Traceback (most recent call last):\n{frames}{kind}"


class KnownWords(logging.Filter):
    """Leaves of the address in uvicorn's line for a request the words of our routes, numbers and UUIDs.

    What people search for, and the names that callers choose for users, conversations and slots, belong in no log.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        if isinstance(record.args, tuple) and len(record.args) == 5:
            client, method, path, version, status = record.args
            record.args = (client, method, mask_path(str(path)), version, status)
        return True


def mask_path(path: str) -> str:
    """Return a path, as percent-encoded in a request, with `*` for every segment that is not ours; without a query."""
    path = path.partition("?")[0]
    if path.startswith("/static/"):
        return path
    words = _words()
    return "/".join(one if unquote(one) in words or _ID.fullmatch(one) else MASK for one in path.split("/"))


@cache
def _words() -> frozenset[str]:
    """Return the segments of all routes that are not parameters."""
    words = (word for route in _routes(get_resolver().url_patterns) for word in _PARAMETER.sub("/", route).split("/"))
    return frozenset({"", "mcp", *words})


def _routes(patterns: Sequence[URLPattern | URLResolver]) -> Iterator[str]:
    for pattern in patterns:
        yield str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _routes(pattern.url_patterns)
