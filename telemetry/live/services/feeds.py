"""Streams of events that a process holds open: how many of a workspace, and what each goes on with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from threading import Lock
from uuid import UUID

from core.errors import TooManyRequestsError
from telemetry.live.live_event import EventFilter, StoredEvent

# Of one workspace, and in all, in one process. A stream takes a connection and no thread.
MAX_OF_WORKSPACE = 64
MAX_STREAMS = 1_024
RETRY_AFTER_SECONDS = 15
# The name under which a view leaves a feed in the ASGI scope, for the dispatcher to go on with.
FEED = "workspace-memory.feed"


class TooManyStreamsError(TooManyRequestsError):
    """A workspace, or the whole process, has as many open streams as it may have."""

    code = "too_many_streams"
    title = "Too many streams of events are open. Close one, or ask with `Accept: application/json` every few seconds."


Encode = Callable[[StoredEvent], bytes]


@dataclass(slots=True)
class Feed:
    """What one viewer gets after the answer of its call: events behind `last_id` that pass its filter."""

    workspace_id: UUID
    filter: EventFilter
    last_id: str
    encode: Encode
    close: Callable[[], None] = field(default=lambda: None)


class OpenFeeds:
    """The open streams of this process, counted by workspace; used by threads and the event loop."""

    def __init__(self, *, most: int = MAX_STREAMS, most_of_workspace: int = MAX_OF_WORKSPACE) -> None:
        self._most, self._most_of_workspace = most, most_of_workspace
        self._open: Counter[UUID] = Counter()
        self._lock = Lock()

    def open(
        self, workspace_id: UUID, passing: EventFilter, *, last_id: str, encode: Callable[[StoredEvent], bytes]
    ) -> Feed:
        """Count a stream in, until its feed is closed. Raises TooManyStreamsError."""
        with self._lock:
            if self._open[workspace_id] >= self._most_of_workspace or self._open.total() >= self._most:
                raise TooManyStreamsError(retry_after=RETRY_AFTER_SECONDS)
            self._open[workspace_id] += 1
        feed = Feed(workspace_id, passing, last_id, encode)
        feed.close = partial(self._close, feed)
        return feed

    def count(self, workspace_id: UUID) -> int:
        """Return the number of open streams of a workspace."""
        with self._lock:
            return self._open[workspace_id]

    def _close(self, feed: Feed) -> None:
        with self._lock:
            feed.close = lambda: None  # closing again counts nothing out
            self._open[feed.workspace_id] -= 1
            if not self._open[feed.workspace_id]:
                del self._open[feed.workspace_id]


feeds = OpenFeeds()
