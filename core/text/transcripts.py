"""Messages as text for a model: how many go into one call, and what they look like there. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, TypeVar

from core.text import looks_like_secret, strip_invisible_characters
from core.text.prompt_sanitiser import label
from core.text.tokens import count_tokens, trim_to_tokens

# About a quarter of what the smallest models in use can read, so that the instruction and the answer fit as well.
MAX_TOKENS = 6_000
MAX_TURNS = 100
# Two of the longest messages fit into one call, so that a chunk always has the two turns that an episode needs.
MAX_TOKENS_OF_ONE = 3_000
INDENT = "    "


class SourceMessage(Protocol):
    """What extraction reads of a message."""

    @property
    def name(self) -> str: ...
    @property
    def content(self) -> str: ...
    @property
    def created_at(self) -> datetime: ...


class TranscriptTurn(SourceMessage, Protocol):
    """What a transcript shows of a message."""

    @property
    def role(self) -> str: ...


S = TypeVar("S", bound=TranscriptTurn)


def first_chunk(messages: Iterable[S]) -> list[S]:
    """Return the longest beginning that goes into one call: beyond the second turn, at most 6,000 tokens."""
    chunk: list[S] = []
    tokens = 0
    for message in messages:
        tokens += min(count_tokens(message.content), MAX_TOKENS_OF_ONE)
        if tokens > MAX_TOKENS and len(chunk) >= 2:
            break
        chunk.append(message)
    return chunk


def whole_exchanges(messages: Iterable[S]) -> list[S]:
    """Return the first chunk, of at most 100 turns, which ends before a question that an assistant answers in the next.

    Without each other, neither tells what it is about.
    """
    given = list(messages)
    chunk = first_chunk(given[:MAX_TURNS])
    roles = [each.role for each in given[len(chunk) - 1 : len(chunk) + 1]]
    return chunk[:-1] if len(chunk) > 2 and roles == ["user", "assistant"] else chunk


@dataclass(frozen=True, slots=True)
class TranscriptLine:
    """What may be quoted of a message."""

    role: str
    name: str
    content: str
    created_at: datetime


def quotable(messages: Sequence[TranscriptTurn]) -> list[TranscriptLine]:
    """Return the messages without secrets, which belong neither into a summary nor to the provider of a model."""
    return [
        TranscriptLine(each.role, label(strip_secrets(each.name)), strip_secrets(each.content), each.created_at)
        for each in messages
    ]


def transcript(messages: Sequence[TranscriptTurn]) -> str:
    """Return the messages as a text, each with its time and role (and name), without secrets, very long ones cut.

    Further lines of a message are indented, so that none of them can pass for the beginning of another message.
    """
    return "\n\n".join(_turn(message) for message in messages)


def _turn(message: TranscriptTurn) -> str:
    who = f"{message.role} ({label(message.name)})" if message.name else message.role
    said = strip_invisible_characters(strip_secrets(message.content))
    content = f"\n{INDENT}".join(trim_to_tokens(said, limit=MAX_TOKENS_OF_ONE).splitlines())
    return f"[{message.created_at:%Y-%m-%d %H:%M}] {who}: {content}"


def strip_secrets(text: str) -> str:
    """Return the text without the lines that seem to hold one."""
    if not looks_like_secret(text):
        return text
    return "\n".join(line for line in text.splitlines() if not looks_like_secret(line))
