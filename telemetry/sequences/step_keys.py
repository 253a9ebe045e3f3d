"""Keys of a sequence's steps and attempts, as pattern mining counts them. Pure."""

from __future__ import annotations

# The unit separator: no field may hold control characters, so no two steps read alike.
SEPARATOR = "\x1f"


def step(action_type: str, node_type: str, error: str) -> str:
    """One thing that happened in a sequence, as text; `error` is '' for a success."""
    return SEPARATOR.join((action_type, node_type, error))


def attempt_key(text: str) -> str:
    """Return what a step tried: its action and its type, without how it ended."""
    return text.rpartition(SEPARATOR)[0]
