"""What callers may name in a request, as keyword arguments with types, and how it is written in JSON."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal, TypedDict

from workspace_memory.models import Kind, Outcome

Source = Literal["user", "agent", "extraction", "import"]
MAX_TAG_CHARACTERS = 64


class MemoryFields(TypedDict, total=False):
    """What can be said about a memory when it is remembered."""

    kind: Kind
    source: Source
    tags: Sequence[str]
    importance: float
    confidence: float
    valid_from: datetime | None
    valid_to: datetime | None
    expires_at: datetime | None


class MemoryChanges(TypedDict, total=False):
    """What can be edited."""

    content: str
    tags: Sequence[str]
    importance: float
    confidence: float
    valid_from: datetime | None
    valid_to: datetime | None
    expires_at: datetime | None


class Filters(TypedDict, total=False):
    """What narrows a search or a list; of `tags`, all."""

    kinds: Sequence[Kind]
    tags: Sequence[str]
    sources: Sequence[Source]
    pinned: bool
    created_after: datetime
    created_before: datetime
    as_of: datetime


class ActionFilters(TypedDict, total=False):
    """What narrows a list of actions."""

    session: str
    agent: str
    action_type: str
    node_type: str
    outcome: Outcome
    error_code: str
    since: datetime
    until: datetime


def body_of(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Fields in JSON: times as RFC 3339, sequences as lists."""
    return {name: _value(value) for name, value in fields.items()}


def session_tag(key: str) -> str:
    """The tag of the memories that belong to one session; a key that is too long for a tag stands as its digest."""
    tag = f"session:{key}"
    return tag if len(tag) <= MAX_TAG_CHARACTERS else f"session:{hashlib.sha256(key.encode()).hexdigest()[:32]}"


def _value(value: Any) -> Any:
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise ValueError("Times need a time zone, such as datetime.now(UTC).")
        return value.isoformat()
    return list(value) if isinstance(value, tuple | set | frozenset) else value
