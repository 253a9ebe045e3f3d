"""What stands in Redis, for tests that look for what should be gone."""

from __future__ import annotations

from typing import Any


def text_of_key(server: Any, key: str) -> str:
    """A key of Redis with its value, of whatever kind: a text, a hash, or a ring of live events."""
    readers = {"hash": server.hgetall, "stream": server.xrange}
    return f"{key} {readers.get(server.type(key), server.get)(key)!r}"
