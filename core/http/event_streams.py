"""Server-sent events: their media type, their form on the wire, and the answer that sends them."""

from __future__ import annotations

from collections.abc import Iterator

from django.http import StreamingHttpResponse
from rest_framework.renderers import JSONRenderer

EVENT_STREAM = "text/event-stream"


class EventStreamRenderer(JSONRenderer):
    """Lets a client accept nothing but the stream. Whatever else it is answered, such as a refusal, is JSON."""

    media_type = EVENT_STREAM


def stream_response(events: Iterator[bytes]) -> StreamingHttpResponse:
    """Return the answer that sends each event as it happens."""
    stream = StreamingHttpResponse(events, content_type=EVENT_STREAM)
    stream["X-Accel-Buffering"] = "no"  # a proxy that collects would undo the streaming
    return stream
