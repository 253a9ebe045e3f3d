"""Which JSON values PostgreSQL can keep, and look for. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from core.text import has_forbidden_characters

# Python's own limit depends on who calls: what a request may bring must be read, shown and sent from anywhere.
MAX_LEVELS = 100
# A string of a text that is JSON, or the beginning of one that does not end; possessive, so that it is read once.
JSON_STRING = re.compile(r'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)', re.DOTALL)


def has_more_values(text: str, *, limit: int) -> bool:
    """Return whether a text that is JSON has more values than the limit."""
    return _count_marks(text) > limit and count_values(text) > limit


def count_values(text: str) -> int:
    """Return the number of values of a text that is JSON: its commas and opening brackets outside of strings."""
    return _count_marks(JSON_STRING.sub("", text))


def _count_marks(text: str) -> int:
    return text.count(",") + text.count("[") + text.count("{")


def is_storable(value: Any) -> bool:
    """Return whether its numbers are finite, its texts are text, names included, and nothing is nested too deeply."""
    try:
        are_texts = not any(map(has_forbidden_characters, _texts(value, MAX_LEVELS)))
        json.dumps(value, allow_nan=False)
    except ValueError:
        return False
    return are_texts


def _texts(value: Any, levels: int) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        if not levels:
            raise ValueError("nested too deeply")
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _texts(inner, levels - 1)
        yield from value if isinstance(value, dict) else ()
