"""What ChatGPT puts into each conversation: the user's custom instructions, and what it saved about the user. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any

from workspace_memory.importing.items import (
    EARLIEST,
    Item,
    MemoryItem,
    Skipped,
    check_memory,
    moment,
    table_of,
    tags_of,
    text_of,
)

INSTRUCTIONS, SAVED = "user_editable_context", "model_editable_context"
ABOUT_USER = "What the user says about themselves:\n\n"
ABOUT_ANSWERS = "How the user wants to be answered:\n\n"
# The product's own words stand around those of the user, which are fenced.
_FENCED = re.compile(r"```\s*(.*?)\s*```\s*\Z", re.DOTALL)
_SAVED_LINE = re.compile(r"^\s*\d+\.\s*\[(\d{4}-\d{2}-\d{2})\]\.?\s*(.+)$")


@dataclass(frozen=True, slots=True)
class ExportedContext:
    """One kind of context of one conversation, as memories, and when it was that."""

    kind: str
    at: datetime
    memories: tuple[MemoryItem, ...]


def is_context(message: dict[str, Any]) -> bool:
    """Whether a message is context of the product's and not a turn."""
    return text_of(table_of(message.get("content")).get("content_type")) in {INSTRUCTIONS, SAVED}


def of_message(message: dict[str, Any], conversation: dict[str, Any], where: str) -> ExportedContext | None:
    """The context that a message is; None for a turn, and for context without a word."""
    content = table_of(message.get("content"))
    at = moment(message.get("create_time")) or moment(conversation.get("create_time"))
    kind = text_of(content.get("content_type"))
    if kind == INSTRUCTIONS:
        memories = _instructions(message, at, where)
    elif kind == SAVED:
        memories = _saved(text_of(content.get("model_set_context")), where)
    else:
        return None
    last = moment(conversation.get("update_time")) or at or EARLIEST
    return ExportedContext(kind, last, tuple(memories)) if memories else None


def newest(contexts: Sequence[ExportedContext]) -> Iterator[Item]:
    """The memories of the newest context of each kind; of earlier ones, how many said something else."""
    for kind in (INSTRUCTIONS, SAVED):
        versions = [context for context in contexts if context.kind == kind]
        if not versions:
            continue
        latest = max(versions, key=lambda context: context.at)
        said = {memory.content for memory in latest.memories}
        yield from (check_memory(memory.where, memory) for memory in latest.memories)
        earlier = {memory.content: memory for context in versions for memory in context.memories}
        if left := [memory for content, memory in earlier.items() if content not in said]:
            why = "Custom instructions" if kind == INSTRUCTIONS else "Saved memories"
            yield Skipped(left[0].where, "earlier_version", f"{why} that were changed or removed later: {len(left)}.")


def _instructions(message: dict[str, Any], at: datetime | None, where: str) -> list[MemoryItem]:
    content = table_of(message.get("content"))
    plain = table_of(table_of(message.get("metadata")).get("user_context_message_data"))
    given = (
        (ABOUT_USER, "about_user_message", "user_profile"),
        (ABOUT_ANSWERS, "about_model_message", "user_instructions"),
    )
    memories = []
    for heading, name, wrapped in given:
        text = text_of(plain.get(name)).strip() or _unwrapped(text_of(content.get(wrapped)))
        if text:
            place = f"{where}.{wrapped}"
            memories.append(MemoryItem(f"{heading}{text}", tags_of("chatgpt", "custom-instructions"), at, where=place))
    return memories


def _unwrapped(text: str) -> str:
    found = _FENCED.search(text)
    return (found[1] if found else text).strip()


def _saved(text: str, where: str) -> list[MemoryItem]:
    """The list of saved memories, a line each with its date; a line without one goes on with the last."""
    found: list[tuple[str, list[str]]] = []
    for line in text.split("\n"):
        if start := _SAVED_LINE.match(line):
            found.append((start[1], [start[2].strip()]))
        elif found and line.strip():
            found[-1][1].append(line.strip())
    tags, place = tags_of("chatgpt", "saved-memory"), f"{where}.model_set_context"
    return [MemoryItem("\n".join(words), tags, _day(day), where=place) for day, words in found]


def _day(text: str) -> datetime | None:
    at = moment(text)
    return at.astimezone(timezone.utc) if at else None
