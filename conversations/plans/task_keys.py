"""The caller's own name for a task of a conversation: which texts can be one. Pure."""

from __future__ import annotations

from core.errors import FieldProblem, InvalidError
from core.text import has_forbidden_characters, has_invisible_characters, is_one_line, looks_like_credential

MAX_CHARACTERS = 200


class UnfitTaskKeyError(InvalidError):
    """The text cannot be the key of a task."""

    code = "unfit_task_key"


def check_task_key(key: str) -> None:
    """Raise UnfitTaskKeyError, saying why, unless a task can have this key."""
    if why := _objection(key):
        raise UnfitTaskKeyError(why, problems=(FieldProblem("task_key", "unfit_task_key", why),))


def _objection(key: str) -> str:
    if not 1 <= len(key) <= MAX_CHARACTERS:
        return f"A task's key has 1 to {MAX_CHARACTERS} characters."
    is_text = not has_forbidden_characters(key) and not has_invisible_characters(key)
    if not is_text or not is_one_line(key) or key != key.strip():
        return (
            "A task's key is one line without control or invisible characters, and without space at its start or end."
        )
    if key in {".", ".."}:
        return "A task's key is not a dot or two, which lead an address elsewhere."
    if "/" in key:
        return "A task's key has no slash, which would begin another part of the address."
    if kind := looks_like_credential(key):
        return f"A task's key seems to hold a credential ({kind}); choose another key."
    return ""
