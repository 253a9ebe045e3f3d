"""What the server answers about receipts of contexts, typed.

Written by `manage.py write_sdk` from the server's schemas.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from workspace_memory.base_models import Answer
from workspace_memory.models import Context, Run

__all__ = ["MissingItem", "Receipt", "ReceiptRow", "Reproduction", "Rerun"]


class ReceiptRow(Answer):
    """A context of a list: who asked for it, how large it was, and the run that followed it in its conversation."""

    id: str
    conversation: str | None = None
    agent: str | None = None
    agent_kind: str | None = None
    question: str | None = None
    method: str | None = None
    token_budget: int
    tokens_used: int
    items: int | None = None
    facts_over_budget: bool
    left_out: list[str]
    latency_ms: float
    created_at: datetime
    run: Run | None = None


class Receipt(ReceiptRow):
    """Why a context held what it held; question and text where the workspace keeps contexts."""

    query_sha256: str
    text: str | None = None
    text_sha256: str | None = None
    asked: Any
    blocks: Any
    chosen: Any
    dropped: Any


class Rerun(Answer):
    """The context as it would be now, and what that changes: ids that came in, went out and stayed."""

    context: Context
    added: list[str]
    removed: list[str]
    kept: list[str]


class MissingItem(Answer):
    """An item that cannot be written as it was: `erased`, `deleted`, or `changed` where no version kept reads so."""

    id: str
    reason: str


class Reproduction(Answer):
    """The text of a context, written again from what is kept of that time; `is_identical` says that it has the digest
    of the text that was given, `missing` what could not be written again and is left out."""

    text: str
    text_sha256: str
    is_identical: bool
    missing: list[MissingItem]
