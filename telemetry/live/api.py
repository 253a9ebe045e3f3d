"""REST of live events: as a stream that goes on, or as a list to ask for again."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import ClassVar

from django.http import HttpResponseBase
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request

from core.errors import FieldProblem, InvalidError
from core.http.event_streams import EVENT_STREAM, EventStreamRenderer, stream_response
from telemetry.live.live_event import EventFilter
from telemetry.live.schemas import MAX_LISTED, EventsQuery, EventsResponse, encode_stored
from telemetry.live.selectors import BEGINNING, EventPage, later_events, latest_place, newest_events
from telemetry.live.services.feeds import FEED, feeds
from workspaces.http.rest import WorkspaceView

DEFAULT_LIMIT = 50
# Milliseconds after which a browser connects again.
RETRY = b"retry: 2000\n\n"
# By how much the clocks of this server and of Valkey may differ.
CLOCK_SKEW_MS = 5_000


class EventsView(WorkspaceView):
    """Follow reads and writes as they happen, as server-sent events; or list the latest, as JSON."""

    action_types = None
    renderer_classes = (EventStreamRenderer, JSONRenderer)
    asks = {"GET": EventsQuery}
    answers = {"GET": EventsResponse}
    streams: ClassVar[Mapping[str, tuple[str, ...]]] = {"GET": (EVENT_STREAM,)}

    def get(self, request: Request, ws: str) -> HttpResponseBase:
        asked = self.query(EventsQuery)
        after = asked.after or _last_event_id(request)
        if request.accepted_media_type != EVENT_STREAM:
            limit, narrow = asked.limit or DEFAULT_LIMIT, asked.narrow()
            page = (
                later_events(self.caller, after, narrow=narrow, most=limit)
                if after
                else newest_events(self.caller, narrow=narrow, most=limit)
            )
            return self.answer(EventsResponse.of_page(page))
        return self._stream(request, after, asked.narrow())

    def _stream(self, request: Request, after: str, narrow: Mapping[str, str]) -> HttpResponseBase:
        """Answer what was missed behind an id; the dispatcher goes on with what comes, without a thread.

        Where there is no dispatcher, the stream ends here, and a client that connects again misses nothing.
        """
        page = (
            later_events(self.caller, after, narrow=narrow, most=MAX_LISTED)
            if after
            else EventPage(last_id=latest_place(self.caller))
        )
        scope = request.META.get("asgi.scope")
        if scope is not None:
            passing = EventFilter.of(self.caller, narrow)
            scope[FEED] = feeds.open(self.caller.workspace_id, passing, last_id=page.last_id, encode=encode_stored)
        return stream_response(_iterate_missed(page))


def _iterate_missed(page: EventPage) -> Iterator[bytes]:
    yield RETRY
    if page.after == BEGINNING:
        # A client that gets no event goes on behind this one. It is of the clock: that of the ring's last event would
        # tell when others did something. What is a little too early is sent again to those who have not seen it.
        yield f"id: {round(time.time() * 1000) - CLOCK_SKEW_MS}-0\n: open\n\n".encode()
    for stored in page.events:
        yield encode_stored(stored)


def _last_event_id(request: Request) -> str:
    """Return the id that a client sends as it connects again. Raises InvalidError for what is none."""
    given = request.headers.get("Last-Event-ID", "")
    if not given:
        return ""
    try:
        return str(EventsQuery.read({"after": given}).after)
    except InvalidError as error:
        problem = FieldProblem("Last-Event-ID", "invalid", error.problems[0].detail)
        raise InvalidError(problems=(problem,)) from error
