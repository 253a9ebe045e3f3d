"""Following the events of a workspace over connections that end and begin again."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator

from workspace_memory.aio.transport import AsyncTransport, read
from workspace_memory.errors import NoAnswerError, RateLimitedError, ServerError
from workspace_memory.event_models import Event
from workspace_memory.sse import EventDecoder
from workspace_memory.wire import Request

# Seconds before the next connection where the server ended one, which it does every minute.
PAUSE = 0.5


async def follow_events(transport: AsyncTransport, query: dict[str, str], *, after: str) -> AsyncIterator[Event]:
    """Events behind an id, without an end. Raises ApiError for a refusal, NoAnswerError after too many attempts."""
    place, failures = after, 0
    while True:
        pause = PAUSE
        decoder = EventDecoder(place)
        try:
            async for line in transport.stream_lines(Request("GET", "events", query=query), after=place):
                data = decoder.decode(line)
                place = decoder.last_id
                failures = 0
                if data is not None:
                    yield read(Event, data)
        except (NoAnswerError, RateLimitedError, ServerError):
            failures += 1
            if failures > transport.retries.most:
                raise
            pause = transport.retries.backoff(failures, jitter=random.random())  # noqa: S311  # no secret
        await asyncio.sleep(pause)
