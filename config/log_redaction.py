"""What a line of a log holds: the request or task it belongs to, no query strings, and no values of exceptions."""

from __future__ import annotations

import logging
import re
import sys
import traceback
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from urllib.parse import unquote

from django.urls import Resolver404, URLPattern, URLResolver, get_resolver, resolve

from core.log_context import log_label

# What stands for a segment of an address that a client has chosen: a user, a conversation, a slot.
MASK = "*"
# Parameters of routes that are named like ids and are what a caller calls something.
CHOSEN_BY_CALLERS = frozenset({"conversation_id"})
_NAMED = re.compile(r"<(?:\w+:)?(\w+)>")
_WORKSPACE = re.compile(r"/v1/workspaces/[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}(?=/)")
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
    """Leaves of the address in uvicorn's line for a request the words of our routes, and ids that this server gave.

    What people search for, and the names that callers choose for users, conversations and slots, belong in no log.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        if isinstance(record.args, tuple) and len(record.args) == 5:
            client, method, path, version, status = record.args
            record.args = (client, method, mask_path(str(path)), version, status)
        return True


def mask_path(path: str) -> str:
    """Return a path, as percent-encoded in a request, with `*` for every part that is not ours; without a query.

    A user or a conversation may be called `7`, like a UUID or like a word of a route, so that the route decides what is
    whose: of its parameters only ids that this server gave are left. Of a path without a route only the words are.
    """
    path = path.partition("?")[0]
    if path.startswith("/static/"):
        return path
    try:
        match = resolve(unquote(path))
    except Resolver404:
        return _mask_unknown(path)
    return "/" + _NAMED.sub(lambda found: _mask_parameter(found[1], match.kwargs), match.route.replace("^", ""))


def _mask_parameter(name: str, values: Mapping[str, object]) -> str:
    value = str(values.get(name, ""))
    return value if _is_ours(name) and _ID.fullmatch(value) else MASK


def _is_ours(name: str) -> bool:
    return name == "ws" or (name.endswith("_id") and name not in CHOSEN_BY_CALLERS)


def _mask_unknown(path: str) -> str:
    words = _words()
    # The workspace of an address that begins like one of ours is what an operator looks for.
    begun = _WORKSPACE.match(path)
    rest = path[begun.end() :] if begun else path
    return (begun[0] if begun else "") + "/".join(one if unquote(one) in words else MASK for one in rest.split("/"))


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
