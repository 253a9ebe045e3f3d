"""Claude's export: conversations with `chat_messages`, what Claude remembers, and projects. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from workspace_memory.importing import markdown
from workspace_memory.importing.items import (
    Item,
    MemoryItem,
    MessageItem,
    Skipped,
    check_message,
    moment,
    rows_of,
    table_of,
    tags_of,
    text_of,
    texts,
)

ROLES = {"human": "user", "user": "user", "assistant": "assistant"}
MEMORIES = frozenset({"conversations_memory", "project_memories"})
PROJECT = frozenset({"prompt_template", "docs"})
ACCOUNT = frozenset({"full_name", "email_address"})
# Claude's summaries set their headings in bold, on lines of their own.
_BOLD_HEADING = re.compile(r"^\*\*([^*]+)\*\*:?\s*$", re.MULTILINE)


class ClaudeExport:
    """One export, in as many files as it has. Projects are read first: memories of a project name it by its id."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}

    def items(self, value: Any, where: str) -> Iterator[Item]:
        """What one element of a file holds, by what it is: files are named differently from export to export."""
        entry = table_of(value)
        if MEMORIES & entry.keys():
            yield from self._memories(entry, where)
        elif PROJECT & entry.keys() and "chat_messages" not in entry:
            yield from self._project(entry, where)
        elif ACCOUNT & entry.keys():
            yield Skipped(where, "account", "It is about the account and not about what was said.")
        else:
            yield from conversation(value, where)

    def rest(self) -> Iterator[Item]:
        """Nothing: each element is complete."""
        return iter(())

    def _memories(self, entry: dict[str, Any], where: str) -> Iterator[Item]:
        yield from _summary(text_of(entry.get("conversations_memory")), f"{where}.conversations_memory")
        for key, text in table_of(entry.get("project_memories")).items():
            name = self._names.get(key, key)
            yield from _summary(text_of(text), f"{where}.project_memories.{key}", f"project:{name}")
        if files := rows_of(entry.get("memory_files")):
            yield Skipped(where, "attachment", f"Memory files: {len(files)}.")

    def _project(self, entry: dict[str, Any], where: str) -> Iterator[Item]:
        """The description and the instructions of a project as memories; its documents are reported."""
        name = text_of(entry.get("name")) or text_of(entry.get("uuid"))
        self._names[text_of(entry.get("uuid"))] = name
        times = moment(entry.get("created_at")), moment(entry.get("updated_at"))
        memory = MemoryItem("", tags_of("claude", f"project:{name}"), *times)
        for field, heading in (("description", "Project"), ("prompt_template", "Instructions of the project")):
            if text := text_of(entry.get(field)).strip():
                yield from markdown.pieces(text, f"{where}.{field}", memory, title=f"{heading} {name}")
        for place, value in enumerate(rows_of(entry.get("docs"))):
            document = table_of(value)
            size, here = len(text_of(document.get("content"))), f"{where}.docs[{place}]"
            why = f"{text_of(document.get('filename')) or 'A file'} of {size:,} characters is a document."
            yield Skipped(here, "document", f"{why} Import it as Markdown, if it is to be remembered.")


def _summary(text: str, where: str, *tags: str) -> Iterator[Item]:
    """A memory for each section of what Claude remembers."""
    memory = MemoryItem("", tags_of("claude", "memory", *tags))
    yield from markdown.pieces(_BOLD_HEADING.sub(r"## \1", text), where, memory)


def conversation(value: Any, where: str) -> Iterator[Item]:
    """The messages of one conversation, in the order of the file."""
    key = text_of(table_of(value).get("uuid"))
    if not key or not isinstance(table_of(value).get("chat_messages"), list):
        yield Skipped(where, "no_conversation", "It has no uuid or no chat_messages: not a conversation of Claude.")
        return
    for place, given in enumerate(value["chat_messages"]):
        here, message = f"{where}.chat_messages[{place}]", table_of(given)
        role = ROLES.get(text_of(message.get("sender")))
        if role is None:
            yield Skipped(here, "unknown_role", "Its sender is neither human nor assistant.")
            continue
        text = "\n".join(filter(None, texts(message.get("content")))) or text_of(message.get("text"))
        attached = [text_of(table_of(one).get("file_name")) for one in rows_of(message.get("attachments"))]
        yield check_message(
            here,
            MessageItem(
                f"claude/{key}",
                text_of(message.get("uuid")) or str(place),
                role,
                text,
                title=text_of(value.get("name")),
                at=moment(message.get("created_at")),
            ),
        )
        if attached:
            yield Skipped(here, "attachment", f"Attached files: {len(attached)}.")
