"""Forms in which nodes and edges are compared and found: the key of a name, and properties as text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from core.text import normalise

MAX_NAME_CHARACTERS = 300


def render_properties(properties: Mapping[str, Any]) -> str:
    """Properties as lines that a person would write ("role: engineer"), so that words and vectors find them."""
    return "\n".join(_lines(properties))


def name_key(name: str) -> str:
    """Return the form in which names are compared."""
    return normalise(name)[:MAX_NAME_CHARACTERS]


def _lines(properties: Mapping[str, Any]) -> Iterator[str]:
    for name, value in properties.items():
        if isinstance(value, Mapping):
            yield from _lines(value)
        elif isinstance(value, list):
            yield f"{name}: {', '.join(str(item) for item in value if not isinstance(item, Mapping))}"
            for item in value:
                if isinstance(item, Mapping):
                    yield from _lines(item)
        elif value is not None:
            yield f"{name}: {value}"
