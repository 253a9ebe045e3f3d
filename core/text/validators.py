"""Refusals of text that may not be stored, whichever app stores it."""

from __future__ import annotations

from core.errors import FieldProblem, InvalidError
from core.text import has_invisible_characters, looks_like_credential, looks_like_secret

INVISIBLE_CHARACTERS = "Contains invisible characters (zero-width, bidirectional or tag characters). Remove them."
MORE_THAN_A_LINE = "Must be one line, without line breaks, tabs or other control characters."


class SecretRefusedError(InvalidError):
    """The text holds what looks like a credential; memories are read by many agents, so none may live there."""

    code = "secret_refused"


def refuse_secret(text: str, *, field: str) -> None:
    """Raise SecretRefusedError when a text that was given as `field` seems to hold a credential."""
    _refuse(looks_like_secret(text), field)


def refuse_credential(text: str, *, field: str) -> None:
    """Raise SecretRefusedError for an identifier that seems to hold a credential; numbers of any form may be ids."""
    _refuse(looks_like_credential(text), field)


def refuse_invisible_characters(text: str, *, field: str) -> None:
    """Raise InvalidError when a text that was given as `field` holds invisible characters."""
    if has_invisible_characters(text):
        raise InvalidError(problems=(FieldProblem(field, "invisible_characters", INVISIBLE_CHARACTERS),))


def _refuse(kind: str | None, field: str) -> None:
    if kind:
        raise SecretRefusedError(
            f"The text seems to hold a credential ({kind}). Remove it and try again; nothing was stored.",
            problems=(FieldProblem(field, "secret_refused", f"Seems to hold a credential ({kind})."),),
        )
