"""Idempotency keys: what may be one, for how long it counts, and why a call under one is refused."""

from __future__ import annotations

import re
from datetime import timedelta

from core.errors import ConflictError, FieldProblem, InvalidError

KEPT = timedelta(days=1)
_KEY = re.compile(r"[!-~]{1,200}")


class KeyReusedError(InvalidError):
    """The same key came with another request: more likely a mistake than meant."""

    code = "idempotency_key_reused"
    title = "That Idempotency-Key came with another request before. Use a new key for a new request."


class StillAtWorkError(ConflictError):
    """The first call with this key has not been answered yet."""

    code = "idempotency_in_progress"
    title = "The first call with that Idempotency-Key is still at work. Ask again in a moment."


class AnswerNotKeptError(ConflictError):
    """The call was answered before, and what it was answered is kept no longer, or never was."""

    code = "answer_not_kept"
    title = (
        "That was done before; its answer is not kept. It held a secret, was a stream or too long, or something was "
        "deleted since."
    )


def refuse_unfit_key(key: str) -> None:
    """Raise InvalidError for what cannot be an idempotency key."""
    if not _KEY.fullmatch(key):
        problem = FieldProblem(
            "Idempotency-Key", "invalid_idempotency_key", "1 to 200 printable ASCII characters, without spaces."
        )
        raise InvalidError(problems=(problem,))
