"""The same for conversations, chat, and what agents keep for themselves."""

from __future__ import annotations

from typing import Any, Literal

# Pydantic reads this one on Python 3.11 as well.
from typing_extensions import TypedDict

from config.openapi.shapes import Finished, Id, Layer, Moment, Object


class Conversation(TypedDict):
    id: Id
    key: str
    title: str
    status: Literal["open", "ended"]
    created_at: Moment
    last_message_at: Moment | None
    ended_at: Moment | None


class Ended(Conversation):
    extracting: bool


class Message(TypedDict):
    id: Id
    conversation_id: Id
    role: Literal["user", "assistant", "tool", "system"]
    name: str | None
    content: str
    metadata: Object
    session: str
    created_at: Moment
    consolidated_at: Moment | None


class Messages(TypedDict):
    messages: list[Message]


class MessageHit(TypedDict):
    message: Message
    score: float
    reasons: list[str]


class Passage(MessageHit):
    before: list[Message]
    after: list[Message]


class Episode(TypedDict):
    id: Id
    conversation_id: Id
    summary: str
    turn_count: int
    source_message_ids: list[Id]
    period_start: Moment
    period_end: Moment
    created_at: Moment


class Consolidated(TypedDict):
    episodes: list[Episode]
    turns: int
    finished: bool


class Window(TypedDict):
    conversation_id: Id
    text: str
    episodes: list[Episode]
    messages: list[Message]
    tokens_used: int


class Turn(Finished):
    message: Message
    model: str | None
    left_out: list[str]
    receipt_id: Id | None
    trace: list[Layer]
    latency_ms: float


class SlotState(TypedDict):
    tier: Literal["working", "session", "episodic", "semantic"]
    name: str
    scope: dict[str, str]
    count: int | None
    schema_version: int
    ttl_seconds: int | None
    max_items: int | None
    max_size_mb: float | None
    size_bytes: int
    expires_at: Moment | None
    updated_at: Moment | None


class Slot(SlotState):
    value: Any


class SlotHit(TypedDict):
    item: Any
    score: float


class UserMemory(TypedDict):
    user: str
    content: str
    sections: dict[str, str]
    updated_by: str | None
    updated_at: Moment | None
