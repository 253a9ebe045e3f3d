"""What every reader yields: messages, memories, nodes, edges, and what was skipped and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta, timezone
from typing import Any

from workspace_memory.moments import parse_moment

MAX_CHARACTERS_OF_A_MESSAGE = 100_000
MAX_CHARACTERS_OF_A_MEMORY = 16_000
MAX_CHARACTERS_OF_A_NAME = 300
MAX_CHARACTERS_OF_A_TAG = 64
MAX_TAGS = 20
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
    space: str = ""

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
    place in the export, `space` the space of its owner, empty for the one that the import is for."""

    content: str
    tags: tuple[str, ...] = ()
    at: datetime | None = None
    changed_at: datetime | None = None
    where: str = field(default="", compare=False)
    space: str = ""
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    expires_at: datetime | None = None
    importance: float | None = None
    confidence: float | None = None

    def line(self) -> dict[str, Any]:
        """The line of `POST import/items`."""
        line: dict[str, Any] = {"item": "memory", "content": self.content, "tags": list(self.tags)}
        times = {
            "created_at": self.at,
            "updated_at": self.changed_at,
            "valid_from": self.valid_from,
            "valid_to": self.valid_to,
            "expires_at": self.expires_at,
        }
        line |= {name: at.isoformat() for name, at in times.items() if at}
        ratios = {"importance": self.importance, "confidence": self.confidence}
        return line | {name: ratio for name, ratio in ratios.items() if ratio is not None}


@dataclass(frozen=True, slots=True)
class NodeItem:
    """A thing of a graph. `key` names it inside the export, for its edges and for the next import."""

    key: str
    type: str
    name: str
    properties: dict[str, Any] = field(default_factory=dict)
    space: str = ""
    where: str = field(default="", compare=False)

    def line(self) -> dict[str, Any]:
        """The line of `POST import/items`."""
        return {
            "item": "node",
            "key": self.key,
            "type": self.type,
            "name": self.name,
            "properties": self.properties,
        }


@dataclass(frozen=True, slots=True)
class EdgeItem:
    """A relation between two things of a graph, which it names by their keys."""

    type: str
    source: str
    target: str
    properties: dict[str, Any] = field(default_factory=dict)
    space: str = ""
    where: str = field(default="", compare=False)

    def line(self) -> dict[str, Any]:
        """The line of `POST import/items`."""
        return {
            "item": "edge",
            "type": self.type,
            "source": self.source,
            "target": self.target,
            "properties": self.properties,
        }


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something that was left out, or not kept in full: where it stands, and why, as a stable code and a sentence."""

    where: str
    code: str
    why: str


Kept = MessageItem | MemoryItem | NodeItem | EdgeItem
Item = Kept | Skipped


def check_message(where: str, message: MessageItem) -> Item:
    """The message, unless it says nothing or is not a turn of a conversation but a document."""
    if not message.content.strip():
        return Skipped(where, "no_text", "It has no text.")
    if len(message.content) > MAX_CHARACTERS_OF_A_MESSAGE:
        return Skipped(where, "too_long", f"It has {len(message.content):,} characters.")
    return message


def check_memory(where: str, memory: MemoryItem) -> MemoryItem | Skipped:
    """The memory, unless it says nothing or is a document."""
    text = memory.content.strip()
    if not text:
        return Skipped(where, "no_text", "It has no text.")
    if len(text) > MAX_CHARACTERS_OF_A_MEMORY:
        return Skipped(where, "too_long", f"It has {len(text):,} characters.")
    if memory.valid_from and memory.valid_to and memory.valid_from >= memory.valid_to:
        memory = replace(memory, valid_from=None)  # it was over when it began: the end is what counts
    return replace(memory, content=text, where=where)


def check_node(node: NodeItem) -> Iterator[Item]:
    """The node with a name and a type of one line each, unless it has no name."""
    name = one_line(node.name)
    if not name:
        yield Skipped(node.where, "no_text", "It has no name.")
        return
    yield replace(node, name=name[:MAX_CHARACTERS_OF_A_NAME], type=type_of(node.type, "entity"))


def tag(text: str) -> str:
    """Text as a tag: one line without commas, of at most 64 characters."""
    return one_line(text.replace(",", " "))[:MAX_CHARACTERS_OF_A_TAG].strip()


def tags_of(*texts: str) -> tuple[str, ...]:
    """Texts as tags, each of them once, at most 20."""
    return tuple(dict.fromkeys(filter(None, map(tag, texts))))[:MAX_TAGS]


def metadata_tags(metadata: Mapping[str, Any], *, taken: int) -> tuple[list[str], list[str]]:
    """Short values as tags `name:value` as long as there is room, and the names of all other ones."""
    tags: list[str] = []
    left: list[str] = []
    for name, value in metadata.items():
        text = f"{name}:{str(value).lower() if isinstance(value, bool) else value}"
        if value is None or value in ("", [], {}):
            continue
        is_short = isinstance(value, str | int | float) and tag(text) == text
        if is_short and taken + len(tags) < MAX_TAGS:
            tags.append(text)
        else:
            left.append(str(name))
    return tags, left


def not_kept(where: str, names: Iterable[str]) -> Iterator[Skipped]:
    """What the report says of fields for which there is no place, by their names."""
    if listed := ", ".join(one_line(name)[:MAX_CHARACTERS_OF_A_TAG] for name in names):
        yield Skipped(where, "metadata", f"Not kept: {listed}.")


def one_line(text: str) -> str:
    """Text on one line, without control characters."""
    return " ".join("".join(one if one.isprintable() else " " for one in text).split())


def type_of(text: str, otherwise: str) -> str:
    """Text as the type of a node or an edge: one line of at most 64 characters."""
    return one_line(text)[:MAX_CHARACTERS_OF_A_TAG].strip() or otherwise


def space_of(kind: str, key: str) -> str:
    """The space of a kind, such as the one of a user; none for an empty key."""
    return f"{kind}:{one_line(key)}" if one_line(key) else ""


def day_after(value: Any) -> datetime | None:
    """The end of a day in UTC, as the moment at which the next one begins; a moment as it is."""
    at = moment(value)
    return at + timedelta(days=1) if at and isinstance(value, str) and len(value.strip()) == len("2026-01-31") else at


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
    """A text that can be shown and written: JSON may hold halves of characters, which no file takes, and any name in an
    export what a terminal would obey."""
    return "".join(one if one.isprintable() else "?" for one in text)


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
