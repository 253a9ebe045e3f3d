"""Publishing events to the ring of their workspace, behind the answer of the call that they tell of."""

from __future__ import annotations

import logging
from collections import deque
from threading import Event, Lock, Thread
from uuid import UUID

from django.conf import settings

from core.stores.redis import RedisUnavailableError, append_events, discard, events_key
from telemetry.live.live_event import LiveEvent

log = logging.getLogger(__name__)

# What a ring holds: enough for the last minutes of a busy workspace, and nothing for longer than an hour.
MAX_EVENTS = 2_000
RING_SECONDS = 3_600
# How long events are gathered before they are sent together.
SECONDS = 0.1
MAX_WAITING = 10_000
AT_ONCE = 500


class EventBuffer:
    """Events on their way to Valkey, sent by one thread, so that no request waits for it. What cannot be sent is lost:
    the view misses it, and nothing else does."""

    def __init__(self) -> None:
        self._waiting: deque[tuple[UUID, str]] = deque(maxlen=MAX_WAITING)
        self._has_news = Event()
        self._starting = Lock()
        self._thread: Thread | None = None

    def add(self, workspace_id: UUID, text: str) -> None:
        """Take an event; costs microseconds."""
        self._waiting.append((workspace_id, text))
        self._has_news.set()
        if self._thread is None or not self._thread.is_alive():
            self._start()

    def flush(self) -> None:
        """Send what waits."""
        while self._waiting:
            batch = [self._waiting.popleft() for _ in range(min(AT_ONCE, len(self._waiting)))]
            send(batch)

    def _start(self) -> None:
        with self._starting:
            if self._thread is None or not self._thread.is_alive():
                self._thread = Thread(target=self._run, name="live-events", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        pause = Event()
        while self._has_news.wait():
            pause.wait(SECONDS)
            self._has_news.clear()
            self.flush()


def send(batch: list[tuple[UUID, str]]) -> None:
    """Send events in one exchange. Without Valkey they are dropped."""
    try:
        append_events(batch, most=MAX_EVENTS, seconds=RING_SECONDS)
    except RedisUnavailableError:
        log.debug("live_events_lost events=%d", len(batch))


def publish(workspace_id: UUID, *events: LiveEvent) -> None:
    """Publish events of a workspace. Never raises.

    A process that serves the web sends them within a tenth of a second, from another thread; any other at once.
    """
    texts = [(workspace_id, event.as_text()) for event in events]
    if settings.SERVES_WEB:
        for each in texts:
            buffer.add(*each)
    elif texts:
        send(texts)


def forget_events(workspace_id: UUID) -> None:
    """Empty the ring of a workspace: ids of what was erased from a space stand in it."""
    discard(events_key(workspace_id))


buffer = EventBuffer()
