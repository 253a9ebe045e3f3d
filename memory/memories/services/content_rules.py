"""What no memory may have: a document instead of a statement, credentials, and an end before its beginning."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from core.errors import FieldProblem, InvalidError
from core.text.validators import refuse_secret
from ontology.nodes_and_edges.validation import ContentTooLargeError, refuse_invisible

# A memory is a statement, not a document: about 2,500 words.
MAX_CHARACTERS = 16_000


def refuse_unfit_content(content: str) -> None:
    """Raise InvalidError for invisible characters, ContentTooLargeError for a document."""
    refuse_invisible(content, field="content")
    if len(content) > MAX_CHARACTERS:
        raise ContentTooLargeError(
            f"A memory has at most {MAX_CHARACTERS:,} characters; this text has {len(content):,}."
        )


def refuse_secrets(values: Mapping[str, Any]) -> None:
    """Refuse a credential in any text, or list of texts, under the name of its field."""
    for name, value in values.items():
        if isinstance(value, str | list | tuple):
            refuse_secret(value if isinstance(value, str) else "\n".join(value), field=name)


def refuse_reversed_period(start: datetime | None, end: datetime | None) -> None:
    """Raise InvalidError for an end that is not behind the beginning."""
    if start and end and start >= end:
        problem = FieldProblem("valid_to", "before_valid_from", "Must be later than valid_from.")
        raise InvalidError(problems=(problem,))
