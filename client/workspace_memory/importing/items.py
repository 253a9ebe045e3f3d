"""What every reader yields: messages, memories, and what was skipped and why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from typing import Any

from workspace_memory.moments import parse_moment

MAX_CHARACTERS_OF_A_MESSAGE = 100_000
MAX_CHARACTERS_OF_A_MEMORY = 16_000
EARLIEST, LATEST = datetime(1970, 1, 1, tzinfo=timezone.utc), datetime(3000, 1, 1, tzinfo=timezone.utc)


@dataclass(frozen=True, slots=True)
class MessageItem:
    """A message. `key` names it inside its conversation, today and at the next import."""

    conversation: str
    key: str
    role: str
    content: str
    title: str = ""
    name: str = ""
    at: datetime | None = None

    @property
    def where(self) -> str:
        return f"{self.conversation}#{self.key}"

    def line(self) -> dict[str, Any]:
        """The line of `POST import/items`."""
        line: dict[str, Any] = {
            "item": "message",
            "conversation": self.conversation,
            "key": self.key,
            "role": self.role,
            "content": self.content,
        }
        if self.title:
            line["title"] = self.title[:200]
        if self.name:
            line["name"] = self.name[:120]
        if self.at:
            line["created_at"] = self.at.isoformat()
        return line


@dataclass(frozen=True, slots=True)
class MemoryItem:
    """A memory. `at` is when it was made, `changed_at` when it was changed last, where the export tells; `where` is its
    place in the export."""

    content: str
    tags: tuple[str, ...] = ()
    at: datetime | None = None
    changed_at: datetime | None = None
    where: str = field(default="", compare=False)

    def line(self) -> dict[str, Any]:
        """The line of `POST import/items`."""
        line: dict[str, Any] = {"item": "memory", "content": self.content, "tags": list(self.tags)}
        if self.at:
            line["created_at"] = self.at.isoformat()
        if self.changed_at:
            line["updated_at"] = self.changed_at.isoformat()
        return line


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something that was left out: where it stands, and why, as a stable code and a sentence."""

    where: str
    code: str
    why: str


Item = MessageItem | MemoryItem | Skipped


def check_message(where: str, message: MessageItem) -> Item:
    """The message, unless it says nothing or is not a turn of a conversation but a document."""
    if not message.content.strip():
        return Skipped(where, "no_text", "It has no text.")
    if len(message.content) > MAX_CHARACTERS_OF_A_MESSAGE:
        return Skipped(where, "too_long", f"It has {len(message.content):,} characters.")
    return message


def check_memory(where: str, memory: MemoryItem) -> Item:
    """The memory, unless it says nothing or is a document."""
    text = memory.content.strip()
    if not text:
        return Skipped(where, "no_text", "It has no text.")
    if len(text) > MAX_CHARACTERS_OF_A_MEMORY:
        return Skipped(where, "too_long", f"It has {len(text):,} characters.")
    return replace(memory, content=text, where=where)


def tag(text: str) -> str:
    """Text as a tag: one line without commas, of at most 64 characters."""
    return " ".join(text.replace(",", " ").split())[:64].strip()


def moment(value: Any) -> datetime | None:
    """Seconds since 1970 or RFC 3339; None for what is neither."""
    try:
        if isinstance(value, int | float) and not isinstance(value, bool):
            at = datetime.fromtimestamp(value, timezone.utc)
        elif isinstance(value, str):
            at = parse_moment(value)
        else:
            return None
    except (ValueError, OverflowError, OSError):
        return None
    at = at if at.tzinfo else at.replace(tzinfo=timezone.utc)
    return at if EARLIEST <= at < LATEST else None


def readable(text: str) -> str:
    """A text that can be shown and written: JSON may hold halves of characters, which no file takes."""
    return text.encode("utf-8", "replace").decode()


def text_of(value: Any) -> str:
    """A value where a text is expected; '' for anything else."""
    return value if isinstance(value, str) else ""


def table_of(value: Any) -> dict[str, Any]:
    """A value where an object is expected; an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def rows_of(value: Any) -> list[Any]:
    """A value where a list is expected; an empty one for anything else."""
    return value if isinstance(value, list) else []


def texts(blocks: Any) -> Iterator[str]:
    """The texts of a message whose content is a text, or a list of texts and of blocks of type `text`."""
    if isinstance(blocks, str):
        yield blocks
    for block in rows_of(blocks):
        if isinstance(block, str):
            yield block
        elif table_of(block).get("type") == "text":
            yield text_of(block.get("text"))
