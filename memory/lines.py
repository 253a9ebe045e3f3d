"""How recalled things read in a prompt: one line each, under the headings that agents know."""

from __future__ import annotations

from typing import Protocol
from uuid import UUID

from conversations.models import Message
from core.text import excerpt
from memory.models import MemoryEpisode
from memory.transcripts import quotable

EPISODES_HEADING = "Earlier conversation summaries (most recent last):"
NODE_CHARACTERS = 300
MESSAGE_CHARACTERS = 600


def episode_line(episode: MemoryEpisode) -> str:
    return f"- ({episode.turn_count} turns) {episode.summary}"


def message_line(message: Message) -> str:
    """When, who and what, on one line and without secrets."""
    (said,) = quotable([message])
    speaker = message.name or message.role
    return f"- {message.created_at:%Y-%m-%d} {speaker}: {excerpt(said.content, limit=MESSAGE_CHARACTERS)}"


def memory_line(identity: UUID, content: str) -> str:
    """The content on one line, behind the citation that an answer repeats when it uses it."""
    return f"- [mem:{identity}] {' '.join(content.split())}"


class Thing(Protocol):
    """What a line says of a node."""

    @property
    def id(self) -> UUID: ...
    @property
    def type(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def body(self) -> str: ...


def node_line(node: Thing) -> str:
    return f"- [node:{node.id}] {node.type}: {excerpt(f'{node.name} {node.body}', limit=NODE_CHARACTERS)}"
