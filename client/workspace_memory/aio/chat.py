"""One turn of a chat, whole or piece by piece."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from workspace_memory.aio.transport import AsyncTransport, read
from workspace_memory.chat_events import ChatEvent
from workspace_memory.chat_models import Turn
from workspace_memory.errors import NoAnswerError, api_error
from workspace_memory.sse import EventDecoder
from workspace_memory.wire import Request

# Seconds without a word from the model.
MODEL_SILENCE = 120.0


async def take_turn(transport: AsyncTransport, body: dict[str, Any]) -> Turn:
    """The whole answer. Raises ApiError for a refusal, and when the model fails."""
    request = Request("POST", "chat", {**body, "stream": False}, seconds=MODEL_SILENCE)
    return read(Turn, await transport.send_request(request))


async def stream_turn(transport: AsyncTransport, body: dict[str, Any]) -> AsyncIterator[ChatEvent]:
    """The events of a turn as they come. Raises NoAnswerError when the stream ends before the turn does."""
    request = Request("POST", "chat", {**body, "stream": True}, seconds=MODEL_SILENCE)
    decoder = EventDecoder()
    async for line in transport.stream_lines(request):
        data = decoder.decode(line)
        if data is None:
            continue
        if decoder.name == "error":
            raise api_error(int(data.get("status", 502)), data)
        yield ChatEvent(decoder.name, data)
        if decoder.name == "done":
            return
    raise NoAnswerError("The stream of the answer broke off. What was said of it may be stored.")
