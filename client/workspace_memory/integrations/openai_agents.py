"""Memory for the OpenAI Agents SDK: a session that is a conversation of the workspace, and recall as instructions."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, cast

from agents import TResponseInputItem
from agents.memory import SessionABC, SessionSettings
from agents.memory.session_settings import resolve_session_limit
from agents.run import CallModelData, ModelInputData
from typing_extensions import Unpack

from workspace_memory.integrations.conversation_items import ConversationItems, joined_text, role_of
from workspace_memory.integrations.recalled_context import recall_text
from workspace_memory.models import Message
from workspace_memory.request_fields import ContextFields
from workspace_memory.sync.client import Memory

KIND = "openai-agents"


class WorkspaceSession(SessionABC):
    """A session whose items are the messages of a conversation, so that any process goes on with it.

    People read it in the console, facts and preferences are looked for in it, and every item comes back exactly.
    An item has at most 100,000 characters. What `pop_item` takes back stays readable for people.
    """

    def __init__(
        self, session_id: str, memory: Memory | None = None, *, session_settings: SessionSettings | None = None
    ) -> None:
        self.session_id = session_id
        self.session_settings = session_settings
        self._items = ConversationItems(memory or Memory(), session_id, kind=KIND)

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        """Return the newest `limit` items, or all of them, oldest first."""
        wanted = resolve_session_limit(limit, self.session_settings)
        messages = await asyncio.to_thread(self._items.read, wanted) if wanted is None or wanted > 0 else []
        items = (self._revived(message) for message in messages)
        return [item for item in items if item is not None]

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        """Append items."""
        bodies = [(_role(item), _text(item), item) for item in cast(list[dict[str, Any]], items)]
        await asyncio.to_thread(self._items.append, bodies)

    async def pop_item(self) -> TResponseInputItem | None:
        """Take the newest item back, and return it; None where there is none."""
        while message := await asyncio.to_thread(self._items.pop):
            if (item := self._revived(message)) is not None:
                return item
        return None

    async def clear_session(self) -> None:
        """Delete the conversation. This cannot be undone."""
        await asyncio.to_thread(self._items.clear)

    def _revived(self, message: Message) -> TResponseInputItem | None:
        """Return the item of a message; one that something else wrote is given as plain text, unless it is a tool's."""
        item = self._items.item(message, dict)
        if item is None and message.role != "tool":
            item = {"role": message.role, "content": message.content}
        return cast(TResponseInputItem | None, item)


def recall_filter(
    memory: Memory | None = None, **fields: Unpack[ContextFields]
) -> Callable[[CallModelData[Any]], Awaitable[ModelInputData]]:
    """Return a filter for `RunConfig(call_model_input_filter=…)`: what is remembered about the newest question goes
    into the instructions of each call, and neither into the session nor into the result.
    """
    known = memory or Memory()

    async def remembered(data: CallModelData[Any]) -> ModelInputData:
        given = data.model_data
        items = cast(list[dict[str, Any]], given.input)
        question = next((_text(item) for item in reversed(items) if item.get("role") == "user"), "")
        text = await asyncio.to_thread(partial(recall_text, known, question, **fields))
        parts = [part for part in (given.instructions, text) if part]
        return ModelInputData(input=given.input, instructions="\n\n".join(parts) or None)

    return remembered


def _role(item: dict[str, Any]) -> Any:
    return role_of(item.get("role", "tool"))


def _text(item: dict[str, Any]) -> str:
    """Return what people read of an item."""
    if item.get("type") == "function_call":
        return f"{item.get('name')}({item.get('arguments')})"
    return joined_text(item.get("content") or item.get("output") or item.get("summary"))
