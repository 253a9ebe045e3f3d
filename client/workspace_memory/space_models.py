"""What the server answers about spaces and erasures, typed.

Written by `manage.py write_sdk` from the server's schemas.
"""

from __future__ import annotations

from datetime import datetime

from workspace_memory.base_models import Answer

__all__ = ["CountedSpace", "Erasure", "ErasureActor", "ErasureCheck", "Space", "SpaceCounts", "WorkspaceErasure"]


class Space(Answer):
    """A space; `kind` and `key` are the two parts of its name, the key of `shared` is null."""

    space: str
    kind: str
    key: str | None = None
    title: str | None = None
    created_at: datetime
    erasing_since: datetime | None = None
    erased_at: datetime | None = None


class SpaceCounts(Answer):
    """How many live memories and facts, conversations, statements and actions a space holds."""

    memories: int
    conversations: int
    statements: int
    actions: int


class ErasureCheck(Answer):
    """What was looked through when all was deleted, how, and what was found."""

    what: str
    how: str
    found: int
    at: datetime


class Erasure(Answer):
    """What is erased of a space: rows by table. `copies` that other spaces accepted of it stay there."""

    space: str
    status: str
    rows: dict[str, int]
    copies: int
    requested_by: str | None = None
    requested_at: datetime | None = None
    finished_at: datetime | None = None
    checks: list[ErasureCheck]
    stays: list[str]
    out_of_reach: list[str]


class CountedSpace(Space):
    """A space with what is in it, and the receipt of its last erasure."""

    counts: SpaceCounts
    erasure: Erasure | None = None


class ErasureActor(Answer):
    """Who asked: a person (`user`), a key or app, or a command of the operator (`system`)."""

    kind: str
    id: str


class WorkspaceErasure(Answer):
    """The erasure of a workspace, and its receipt once it is `erased`: numbers by layer and by table, no content."""

    id: str | None = None
    workspace_id: str
    status: str
    total: int
    deleted: int
    layers: dict[str, int]
    rows: dict[str, int]
    waits_for: str | None = None
    unreachable: list[str]
    requested_by: ErasureActor | None = None
    requested_at: datetime | None = None
    finished_at: datetime | None = None
    checks: list[ErasureCheck]
    stays: list[str]
    out_of_reach: list[str]
