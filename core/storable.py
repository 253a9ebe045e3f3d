"""Which JSON values PostgreSQL can keep, and look for. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from core.text import has_forbidden_characters


def is_storable(value: Any) -> bool:
    """Whether its numbers are finite and its texts are text, names included."""
    try:
        json.dumps(value, allow_nan=False)
        return not any(map(has_forbidden_characters, _texts(value)))
    except (ValueError, RecursionError):
        return False


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield name
            yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)
