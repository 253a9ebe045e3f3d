"""The URL table, read as a whole: every address with its view, and which views wait."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from django.urls import Resolver404, URLPattern, URLResolver, get_resolver, resolve

_PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>")


def addresses() -> Iterator[tuple[str, URLPattern]]:
    """Yield every route, from the root, with its pattern."""
    yield from _patterns(get_resolver().url_patterns, "/")


def in_braces(route: str) -> str:
    """Return a route as OpenAPI writes it: `{ws}` in the place of `<str:ws>`."""
    return _PARAMETER.sub(r"{\1}", route)


def find_view(callback: Any) -> Any:
    """Return the class of a view, which declares its facts; of a page, the function."""
    return getattr(callback, "cls", callback)


def is_waiting(path: str) -> bool:
    """Return whether the answer of an address may take as long as a model, a reader or thousands of lines: its view
    `waits`."""
    if not path.endswith(_endings()):  # asked for every request, and much cheaper than to resolve it
        return False
    try:
        return bool(getattr(find_view(resolve(path).func), "waits", False))
    except Resolver404:
        return False


@cache
def _endings() -> tuple[str, ...]:
    """Return how the addresses end whose views wait; a parameter may be anything."""
    routes = (route for route, pattern in addresses() if getattr(find_view(pattern.callback), "waits", False))
    return tuple({"" if route.endswith(">") else f"/{route.rpartition('/')[2]}" for route in routes})


def _patterns(patterns: Iterable[URLPattern | URLResolver], prefix: str) -> Iterator[tuple[str, URLPattern]]:
    for pattern in patterns:
        here = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _patterns(pattern.url_patterns, here)
        else:
            yield here, pattern
