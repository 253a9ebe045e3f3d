"""The caller's own name for a conversation: which texts can be one. Pure."""

from __future__ import annotations

from core.errors import FieldProblem, InvalidError
from core.text import has_forbidden_characters

MOST_CHARACTERS = 200

# What follows a key in an address. A key may hold slashes, and then must not look like the address of something in
# another conversation: `a/messages` would be both.
VERBS = frozenset({"messages", "end", "consolidate", "episodes", "window", "recall", "plan", "iterations"})


class UnfitKeyError(InvalidError):
    """The text cannot be the key of a conversation."""

    code = "unfit_key"


def check_key(key: str) -> None:
    """Raise UnfitKeyError, saying why, unless a conversation can have this key."""
    if why := _objection(key):
        raise UnfitKeyError(why, problems=(FieldProblem("conversation", "unfit_key", why),))


def _objection(key: str) -> str:
    if not 1 <= len(key) <= MOST_CHARACTERS:
        return f"A conversation's key has 1 to {MOST_CHARACTERS} characters."
    if has_forbidden_characters(key) or key.splitlines() != [key.strip()]:
        return "A conversation's key is one line without control characters, and without space at its start or end."
    if taken := VERBS.intersection(key.split("/")[1:]):
        return f"A conversation's key has no part '/{min(taken)}', which is an address of its own."
    return ""
