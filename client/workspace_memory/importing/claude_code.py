"""Session files of Claude Code: one JSON object a line, one file a session. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from workspace_memory.importing.items import Item, MessageItem, Skipped, check_message, moment, table_of, text_of, texts
from workspace_memory.importing.partial_json import lines

TURNS = frozenset({"user", "assistant"})


def session(found: Iterable[str], where: str, *, session_id: str) -> Iterator[Item]:
    """What people and the agent said. Tool calls, their results, thoughts and side chains are left out and counted."""
    left: dict[str, int] = {}
    for place, value in lines(found, where):
        item = value if isinstance(value, Skipped) else _message(table_of(value), place, session_id)
        if isinstance(item, str):
            left[item] = left.get(item, 0) + 1
        else:
            yield item
    for why, count in sorted(left.items()):
        yield Skipped(where, why, f"Lines: {count}.")


def _message(entry: dict[str, Any], place: str, session_id: str) -> Item | str:
    """The message of a line, or in one word what else it is."""
    if text_of(entry.get("type")) not in TURNS:
        return "no_message"
    if entry.get("isSidechain") is True or entry.get("isMeta") is True:
        return "side_chain"
    message = table_of(entry.get("message"))
    text = "\n".join(filter(None, texts(message.get("content"))))
    if not text:
        return "tool_or_thought"
    key = text_of(entry.get("uuid")) or place.rpartition(":")[2]
    conversation = f"claude-code/{text_of(entry.get('sessionId')) or session_id}"
    role = text_of(entry["type"])
    return check_message(place, MessageItem(conversation, key, role, text, at=moment(entry.get("timestamp"))))
