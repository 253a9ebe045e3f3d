"""Reading the ring of a workspace's events, as far as a caller may know of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from uuid import UUID

from core.errors import UnavailableError
from core.stores.redis import RedisUnavailableError, read_events, read_events_back
from telemetry.live.live_event import EventFilter, StoredEvent
from workspaces.access.callers import Caller, Right

READ_AT_ONCE = 500
# The id before all others.
BEGINNING = "0-0"


class EventsUnavailableError(UnavailableError):
    """Valkey does not answer. The events of this time are lost; what they tell of is not."""

    code = "events_unavailable"
    title = "Live events cannot be read just now. Nothing else is affected; try again."


@dataclass(slots=True)
class EventPage:
    """Events in the order in which they happened, which were asked for behind `after`.

    `last_id` is that of the last event that was looked at. It stays inside: when others do something in spaces that the
    caller may not read is not for it to know. `place` is what it asks behind the next time.
    """

    events: list[StoredEvent] = field(default_factory=list)
    last_id: str = BEGINNING
    has_earlier: bool = False
    after: str = BEGINNING

    @property
    def place(self) -> str:
        """The id of the last of the events, or where they were looked for where there is none."""
        return self.events[-1].id if self.events else self.after


def later_events(caller: Caller, after: str, *, narrow: Mapping[str, str], most: int) -> EventPage:
    """Return the first `most` events behind an id, oldest first.

    Raises EventsUnavailableError, MissingScopeError without `read`.
    """
    caller.require(Right.READ)
    passing = EventFilter.of(caller, narrow)
    page = EventPage(last_id=after, after=after)
    while True:
        entries = _read(caller.workspace_id, page.last_id)
        for identity, text in entries:
            page.last_id = identity
            stored = StoredEvent.parse(identity, text)
            if stored and passing.passes(stored.event):
                page.events.append(stored)
                if len(page.events) == most:
                    return page
        if len(entries) < READ_AT_ONCE:
            return page


def newest_events(caller: Caller, *, narrow: Mapping[str, str], most: int, before: str = "") -> EventPage:
    """Return the last `most` events, or those before an id, oldest first.

    Raises EventsUnavailableError, MissingScopeError without `read`.
    """
    caller.require(Right.READ)
    passing = EventFilter.of(caller, narrow)
    found: list[StoredEvent] = []
    newest, oldest = "", before
    while len(found) <= most:
        entries = _read_back(caller.workspace_id, oldest)
        newest = newest or (entries[0][0] if entries else "")
        parsed = (StoredEvent.parse(*entry) for entry in entries)
        found += [stored for stored in parsed if stored and passing.passes(stored.event)]
        if len(entries) < READ_AT_ONCE:
            break
        oldest = entries[-1][0]
    return EventPage(found[:most][::-1], newest or BEGINNING, len(found) > most)


def latest_place(caller: Caller) -> str:
    """Return the id of the last event of the workspace, whether the caller may see it or not.

    Raises EventsUnavailableError, MissingScopeError without `read`.
    """
    caller.require(Right.READ)
    found = _read_back(caller.workspace_id, "", most=1)
    return found[0][0] if found else BEGINNING


def _read(workspace_id: UUID, after: str) -> list[tuple[str, str]]:
    try:
        return read_events({workspace_id: after}, most=READ_AT_ONCE)[workspace_id]
    except RedisUnavailableError as error:
        raise EventsUnavailableError() from error


def _read_back(workspace_id: UUID, before: str, *, most: int = READ_AT_ONCE) -> list[tuple[str, str]]:
    try:
        return read_events_back(workspace_id, before=before, most=most)
    except RedisUnavailableError as error:
        raise EventsUnavailableError() from error
