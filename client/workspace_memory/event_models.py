"""What the server answers about live events, typed.

Written by `manage.py write_sdk` from the server's schemas.
"""

from __future__ import annotations

from datetime import datetime

from workspace_memory.base_models import Answer

__all__ = ["Event", "EventActor", "RecentEvents"]


class EventActor(Answer):
    """Who did it; people have no name here."""

    kind: str
    id: str
    name: str | None = None


class Event(Answer):
    """A read or a write as it happened: types, ids and numbers, and nothing of what is stored."""

    id: str
    at: datetime
    verb: str
    layer: str
    action: str
    door: str
    actor: EventActor
    type: str | None = None
    ids: list[str]
    count: int | None = None
    outcome: str
    error_code: str | None = None
    milliseconds: float | None = None


class RecentEvents(Answer):
    """Events in the order in which they happened; `last_event_id` is what to ask behind the next time."""

    results: list[Event]
    last_event_id: str
