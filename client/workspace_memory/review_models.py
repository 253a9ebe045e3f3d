"""What the server answers about the review queue, typed.

Written by `manage.py write_sdk` from the server's schemas.
"""

from __future__ import annotations

from datetime import datetime

from workspace_memory.base_models import Answer

__all__ = ["ReviewItem", "Verdict"]


class ReviewItem(Answer):
    """One item that needs a person; `verdicts` are those that it takes, `related` the ids of what it is about."""

    id: str
    kind: str
    text: str
    waiting_since: datetime
    verdicts: list[str]
    related: list[str]


class Verdict(Answer):
    """A verdict that was given; `ask` where the first of two people asks for a fact. `undone_at` says that it was taken
    back."""

    id: str
    kind: str
    item_id: str
    verdict: str
    decided_by: str
    decided_at: datetime
    undone_at: datetime | None = None
