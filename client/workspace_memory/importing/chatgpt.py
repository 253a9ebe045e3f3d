"""ChatGPT's export: lists of conversations, each a tree of mapping nodes, in one file or several. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from workspace_memory.importing import chatgpt_context
from workspace_memory.importing.chatgpt_context import ExportedContext
from workspace_memory.importing.items import (
    Item,
    MessageItem,
    Skipped,
    check_message,
    moment,
    rows_of,
    table_of,
    text_of,
)

ROLES = {"user": "user", "assistant": "assistant", "tool": "tool", "system": "system"}
# Parts of a message that are speech: of older exports a text, of newer ones with the sound next to it.
SPEECH = "audio_transcription"


class ChatGPTExport:
    """One export, in as many files as it has: what each conversation repeats comes in once, as it was last."""

    def __init__(self) -> None:
        self._contexts: list[ExportedContext] = []

    def items(self, value: Any, where: str) -> Iterator[Item]:
        """What one conversation holds; its context is kept for `rest`."""
        for message in _messages_of(value):
            if context := chatgpt_context.of_message(message, table_of(value), where):
                self._contexts.append(context)
        yield from conversation(value, where)

    def rest(self) -> Iterator[Item]:
        """Custom instructions and saved memories, as memories, as the newest conversation has them."""
        yield from chatgpt_context.newest(self._contexts)


def conversation(value: Any, where: str) -> Iterator[Item]:
    """The messages on the way to the current node, from the first on; other branches are skipped and said so."""
    mapping = table_of(table_of(value).get("mapping"))
    key = text_of(table_of(value).get("conversation_id")) or text_of(table_of(value).get("id"))
    if not mapping or not key:
        yield Skipped(where, "no_conversation", "It has no id or no mapping: it is not a conversation of ChatGPT.")
        return
    title, path = text_of(value.get("title")), _path(mapping, text_of(value.get("current_node")))
    on_path = frozenset(path)
    for node_id in path:
        message = table_of(table_of(mapping[node_id]).get("message"))
        if message and not chatgpt_context.is_context(message):
            yield _message(message, node_id, conversation=f"chatgpt/{key}", title=title, where=where)
    others = [node for name, node in mapping.items() if name not in on_path]
    if left := sum(bool(table_of(node).get("message")) for node in others):
        yield Skipped(where, "other_branch", f"Messages of branches that were edited or answered again: {left}.")


def _messages_of(value: Any) -> Iterator[dict[str, Any]]:
    for node in table_of(table_of(value).get("mapping")).values():
        if message := table_of(table_of(node).get("message")):
            yield message


def _path(mapping: dict[str, Any], last: str) -> list[str]:
    """Node ids from the root to `last`; without one, to the newest leaf. A cycle ends where it closes."""
    if last not in mapping:
        leaves = [name for name, node in mapping.items() if not rows_of(table_of(node).get("children"))]
        last = max(leaves or mapping, key=lambda name: _time(mapping[name]))
    path: list[str] = []
    seen: set[str] = set()
    while last in mapping and last not in seen:
        path.append(last)
        seen.add(last)
        last = text_of(table_of(mapping[last]).get("parent"))
    return path[::-1]


def _time(node: Any) -> float:
    at = moment(table_of(table_of(node).get("message")).get("create_time"))
    return at.timestamp() if at else 0.0


def _message(message: dict[str, Any], node_id: str, *, conversation: str, title: str, where: str) -> Item:
    place = f"{where}.{node_id}"
    author, content = table_of(message.get("author")), table_of(message.get("content"))
    role = ROLES.get(text_of(author.get("role")))
    if role is None:
        return Skipped(place, "unknown_role", "Its author has a role that is none of the usual four.")
    if table_of(message.get("metadata")).get("is_visually_hidden_from_conversation") is True:
        return Skipped(place, "hidden", "ChatGPT hides it, too.")
    parts = [text for part in rows_of(content.get("parts")) if (text := _part(part))]
    text = "\n".join(parts) or text_of(content.get("text")) or text_of(content.get("result"))
    if not text and rows_of(content.get("parts")):
        return Skipped(place, "no_text", "It is a picture or a file.")
    key = text_of(message.get("id")) or node_id
    name, at = text_of(author.get("name")), moment(message.get("create_time"))
    return check_message(place, MessageItem(conversation, key, role, text, title=title, name=name, at=at))


def _part(part: Any) -> str:
    """The words of one part: text, or what was understood of speech."""
    if isinstance(part, str):
        return part
    return text_of(table_of(part).get("text")) if table_of(part).get("content_type") == SPEECH else ""
