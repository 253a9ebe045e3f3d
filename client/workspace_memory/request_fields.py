"""What callers may name in a request, as keyword arguments.

Written by `manage.py write_sdk` from the server's schemas.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any, TypedDict

from workspace_memory.models import Kind, Outcome, Source


class MemoryFields(TypedDict, total=False):
    """The body of `POST memories`."""

    tags: Annotated[Sequence[str], "Short labels, without commas."]
    importance: Annotated[float, "How much it matters."]
    confidence: Annotated[float, "How certain it is."]
    valid_from: datetime | None
    valid_to: datetime | None
    expires_at: Annotated[datetime | None, "From when on it is not recalled any more; RFC 3339 with an offset."]
    kind: Annotated[Kind, "A memory is a suggestion; a fact is authoritative and needs the scope `facts`."]
    source: Source


class MemoryChanges(TypedDict, total=False):
    """The body of `PATCH memories/{id}`: any of these, at least one."""

    content: Annotated[str, "One statement that stands for itself: who, what, when. No secrets."]
    tags: Annotated[Sequence[str], "Short labels, without commas."]
    importance: Annotated[float, "How much it matters."]
    confidence: Annotated[float, "How certain it is."]
    valid_from: datetime | None
    valid_to: datetime | None
    expires_at: Annotated[datetime | None, "From when on it is not recalled any more; RFC 3339 with an offset."]


class Filters(TypedDict, total=False):
    """The filters of a search."""

    kinds: Sequence[Kind]
    tags: Annotated[Sequence[str], "Short labels, without commas."]
    sources: Sequence[Source]
    pinned: bool | None
    created_after: datetime | None
    created_before: datetime | None
    as_of: Annotated[datetime | None, "What was true at this time, instead of now."]
    known_at: Annotated[
        datetime | None, "What was known at this time: without what was learned later, and what that has closed."
    ]


class ActionFilters(TypedDict, total=False):
    """The query string of `GET actions`."""

    session: str
    agent: str
    action_type: str
    node_type: str
    outcome: Outcome
    error_code: str
    since: datetime
    until: datetime


class EventFilters(TypedDict, total=False):
    """Which events: behind an id, and of what kind. `Last-Event-ID` stands for `after`."""

    verb: Annotated[str, "Only reads, writes or removals."]
    layer: Annotated[str, "Only of one layer."]
    outcome: Annotated[Outcome, "Only of one outcome."]
    actor: Annotated[str, "The name of a key, an app or a task, or the id of who did it."]


class MessageFields(TypedDict, total=False):
    """One message of `POST conversations/{c}/messages`."""

    name: Annotated[str, "Who said it, where that is known."]
    created_at: Annotated[datetime, "When it was said, RFC 3339 with an offset; now, unless given."]
    metadata: Annotated[dict[str, Any], "Of the caller's own; `session` names the session that the message belongs to."]


class IterationFields(TypedDict, total=False):
    """The body of `POST conversations/{c}/iterations/{task_key}`: one attempt."""

    result: Annotated[str, "What came of it."]
    error: Annotated[str, "The error, as it was reported."]
    diagnosis: Annotated[str, "Why it failed."]
    fix: Annotated[str, "What was or will be changed."]


class ContextFields(TypedDict, total=False):
    """The body of `POST context`."""

    conversation: Annotated[str, "The key or id of the conversation that goes on."]
    node_ids: Annotated[Sequence[str], "Nodes that the work is about."]
    user: Annotated[str, "The caller's own name of the user whom this is for."]
    token_budget: Annotated[int, "The maximum number of tokens; facts are never dropped."]
    as_of: Annotated[datetime | None, "What was true at this time, instead of now."]
    known_at: Annotated[
        datetime | None, "What was known at this time: without what was learned later, and what that has closed."
    ]
