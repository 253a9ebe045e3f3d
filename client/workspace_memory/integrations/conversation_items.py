"""Messages of a framework in a conversation: readable for people and search, and exact for the framework."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any, TypeVar, cast

from workspace_memory.memory_spec import MemorySpec
from workspace_memory.models import Message, Role
from workspace_memory.sync.client import Memory
from workspace_memory.sync.transport import read_each

T = TypeVar("T")
# The server takes 16,000 characters of JSON as a message's metadata.
MAX_METADATA_CHARACTERS = 15_000
MAX_READ_AT_ONCE, MAX_ADDED_AT_ONCE = 200, 1_000
ITEM, KIND, IS_CONTENT = "item", "kind", "item_is_content"
# Ids of messages that a framework has taken back. What was said stays readable in the conversation.
TAKEN_BACK = MemorySpec(tier="episodic", type="list", scope=["conversation"])
TAKEN_BACK_NAME = "integrations/taken-back"
_NOT_TEXT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff]")
_ROLES: dict[str, Role] = {"human": "user", "ai": "assistant", "chatbot": "assistant", "developer": "system"}


def role_of(name: str) -> Role:
    """Return the role that a message has here for the name that a framework has for it."""
    return cast(Role, name) if name in {"user", "assistant", "system"} else _ROLES.get(name, "tool")


def joined_text(content: Any) -> str:
    """Return the text of a content as model providers write it: a string, or a list of parts."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, Sequence) else ()
    texts = [part.get("text") if isinstance(part, dict) else part for part in parts]
    return "\n".join(text for text in texts if isinstance(text, str))


class ConversationItems:
    """A conversation whose messages hold the items of a framework, which are JSON.

    `kind` names the framework's format, so that items of another one, and messages without any, are told apart.
    """

    def __init__(self, memory: Memory, conversation: str, *, kind: str) -> None:
        self.key = conversation
        self._memory = memory
        self._session = memory.session(conversation)
        self._kind = kind

    def append(self, items: Sequence[tuple[Role, str, Any]]) -> None:
        """Append items, each with its role and the text that people read.

        Facts and preferences are looked for in them after a pause. Raises ApiError, for example for an item of more
        than 100,000 characters.
        """
        messages = [self._body(role, text, item) for role, text, item in items]
        for start in range(0, len(messages), MAX_ADDED_AT_ONCE):
            self._memory.add(messages[start : start + MAX_ADDED_AT_ONCE], conversation=self.key)

    def read(self, limit: int | None = None) -> list[Message]:
        """Return the newest `limit` messages, or all of them, oldest first, without those that were taken back."""
        page = self._session.history.last(min(limit or MAX_READ_AT_ONCE, MAX_READ_AT_ONCE))
        hidden = set(self._taken_back().get()) if page else set()
        found: list[Message] = []
        while page:
            found = [message for message in page if message.id not in hidden] + found
            is_enough = limit is not None and len(found) >= limit
            page = [] if is_enough else self._before(page[0])
        return found if limit is None else found[max(len(found) - limit, 0) :]

    def item(self, message: Message, read: Callable[[dict[str, Any]], T]) -> T | None:
        """Return the item that a message holds, as `read` makes it of its JSON.

        None for a message that something else wrote, also where that claims to hold an item.
        """
        if message.metadata.get(KIND) != self._kind:
            return None
        try:
            found = json.loads(message.content if message.metadata.get(IS_CONTENT) else message.metadata[ITEM])
            return read(found) if isinstance(found, dict) else None
        except (KeyError, TypeError, ValueError):
            return None

    def pop(self) -> Message | None:
        """Take the newest message back, and return it; its text stays in the conversation, for people."""
        found = self.read(1)
        if not found:
            return None
        self._taken_back().append(found[0].id)
        return found[0]

    def clear(self) -> None:
        """Delete the conversation with its messages. This cannot be undone."""
        if self._session.history.last(1):
            self._session.delete()
        self._taken_back().clear()

    def _body(self, role: Role, text: str, item: Any) -> dict[str, Any]:
        # As a string of ASCII, an item may hold characters that a message may not.
        packed = json.dumps(item, separators=(",", ":"))
        if len(json.dumps(packed)) > MAX_METADATA_CHARACTERS:
            return {"role": role, "content": packed, "metadata": {KIND: self._kind, IS_CONTENT: True}}
        shown = _NOT_TEXT.sub("\N{REPLACEMENT CHARACTER}", text)
        shown = shown if shown.strip() else f"({self._kind})"
        return {"role": role, "content": shown, "metadata": {KIND: self._kind, ITEM: packed}}

    def _before(self, message: Message) -> list[Message]:
        history = self._session.history
        query = {"last": str(MAX_READ_AT_ONCE), "before": message.id}
        return read_each(Message, history._transport.send("GET", history._path, query=query))

    def _taken_back(self) -> Any:
        return self._memory.slots.slot(TAKEN_BACK_NAME, TAKEN_BACK, conversation=self.key)
