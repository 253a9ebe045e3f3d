"""The caller's own name for a conversation: which texts can be one. Pure."""

from __future__ import annotations

from core.errors import FieldProblem, InvalidError
from core.text import has_forbidden_characters, has_invisible_characters, is_one_line, looks_like_credential

MAX_CHARACTERS = 200

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
    if not 1 <= len(key) <= MAX_CHARACTERS:
        return f"A conversation's key has 1 to {MAX_CHARACTERS} characters."
    is_text = not has_forbidden_characters(key) and not has_invisible_characters(key)
    if not is_text or not is_one_line(key) or key != key.strip():
        return (
            "A conversation's key is one line without control or invisible characters, and without space at its start "
            "or end."
        )
    if kind := looks_like_credential(key):
        return f"A conversation's key seems to hold a credential ({kind}); choose another key."
    if taken := VERBS.intersection(key.split("/")[1:]):
        return f"A conversation's key has no part '/{min(taken)}', which is an address of its own."
    return ""
