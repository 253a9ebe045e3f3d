"""What doors answer of the messages in which a memory was said."""

from __future__ import annotations

from core.http.schemas import FilledText, IdText, MomentText, ResponseSchema, attribute


class StepSourceResponse(ResponseSchema):
    """The message that made a step of a memory's history."""

    message_id: IdText
    conversation_id: IdText
    conversation: str = attribute("conversation", "key")
    said_at: MomentText


class MemorySourceResponse(ResponseSchema):
    """A message that says what a memory says; `quote` is its sentence, null once the message was deleted."""

    message_id: IdText
    conversation_id: IdText
    conversation: str
    said_at: MomentText
    quote: FilledText
