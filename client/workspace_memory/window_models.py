"""What the server answers about windows of conversations, typed.

Written by `manage.py write_sdk` from the server's schemas.
"""

from __future__ import annotations

from workspace_memory.base_models import Answer
from workspace_memory.models import Episode, Message

__all__ = ["Consolidation", "Observations", "Passage", "RawMessages", "Window"]


class Observations(Answer):
    """Observations of older messages as a block, which grows at its end alone until they are merged."""

    text: str
    tokens: int
    count: int
    generation: int
    omitted: int


class RawMessages(Answer):
    """Messages that no observation of the block stands for, oldest first."""

    messages: list[Message]
    tokens: int
    omitted: int


class Window(Answer):
    """What an agent that goes on with a conversation is given of it."""

    conversation_id: str
    text: str
    episodes: list[Episode]
    messages: list[Message]
    tokens_used: int
    observations: Observations
    raw: RawMessages


class Consolidation(Answer):
    """The episodes that a call made; `turns` counts the messages in them."""

    episodes: list[Episode]
    turns: int
    finished: bool


class Passage(Answer):
    """A message that was found, with those of its session right before and after it, oldest first."""

    message: Message
    score: float
    confidence: float | None = None
    reasons: list[str]
    before: list[Message]
    after: list[Message]
