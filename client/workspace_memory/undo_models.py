"""What the server answers about undos, typed.

Written by `manage.py write_sdk` from the server's schemas.
"""

from __future__ import annotations

from datetime import datetime

from workspace_memory.base_models import Answer

__all__ = ["Undo", "UndoCount", "UndoLine", "UndoRow"]


class UndoCount(Answer):
    """How many things of a kind were removed, reverted to what they were, kept, and returned by a reversal."""

    removed: int
    reverted: int
    kept: int
    returned: int


class UndoRow(Answer):
    """A thing of an undo. `reason` says why it stays; `content` is null where the caller does not read its space."""

    kind: str
    id: str
    act: str
    state: str
    reason: str | None = None
    by: str | None = None
    content: str | None = None


class Undo(Answer):
    """An undo: of a preview what would be, without an id. `rows` has up to 200 things, those that stay first."""

    id: str | None = None
    target: str
    subject: str
    since: datetime | None = None
    until: datetime
    every_space: bool
    status: str
    total: int
    done: int
    counts: dict[str, UndoCount]
    rows: list[UndoRow]
    has_more: bool
    requested_by: str | None = None
    requested_at: datetime | None = None
    finished_at: datetime | None = None
    reverted_by: str | None = None
    reverted_at: datetime | None = None
    stays: list[str]


class UndoLine(Answer):
    """An undo in the list of them."""

    id: str
    target: str
    subject: str
    since: datetime | None = None
    until: datetime
    status: str
    requested_by: str | None = None
    requested_at: datetime
    reverted_by: str | None = None
