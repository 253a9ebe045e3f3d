"""Claude's export: `conversations.json`, a list of conversations with `chat_messages`. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from workspace_memory.importing.items import (
    Item,
    MessageItem,
    Skipped,
    check_message,
    moment,
    rows_of,
    table_of,
    text_of,
    texts,
)

ROLES = {"human": "user", "user": "user", "assistant": "assistant"}


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
