"""Memory for pydantic-ai: recall as instructions, tools to remember and recall, and the history of a conversation."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any

from pydantic_ai import FunctionToolset, RunContext
from pydantic_ai.messages import ModelMessage, ModelMessagesTypeAdapter, ModelResponse
from typing_extensions import Unpack

from workspace_memory.integrations.conversation_items import ConversationItems, joined_text
from workspace_memory.integrations.recalled_context import MAX_QUERY_CHARACTERS, memory_line, recall_text
from workspace_memory.request_fields import ContextFields
from workspace_memory.sync.client import Memory

KIND = "pydantic-ai"


def recall_instructions(
    memory: Memory | None = None, **fields: Unpack[ContextFields]
) -> Callable[[RunContext[Any]], Awaitable[str]]:
    """Return instructions for `Agent(instructions=[…])`: what is remembered about the prompt of each run.

    Instructions are not part of the history, so that nothing is stored or sent twice.
    """
    known = memory or Memory()

    async def remembered(ctx: RunContext[Any]) -> str:
        return await asyncio.to_thread(partial(recall_text, known, joined_text(ctx.prompt), **fields))

    return remembered


def memory_toolset(memory: Memory | None = None, *, limit: int = 5) -> FunctionToolset[Any]:
    """Return the tools `recall` and `remember`, whose results a model can cite as `[mem:<id>]`."""
    known = memory or Memory()

    def recall(query: str) -> str:
        """Search the memory for what is known about something, before you answer.

        Args:
            query: What to look for, in a few words or as a question.
        """
        hits = known.search(query[:MAX_QUERY_CHARACTERS], limit=limit)
        return "\n".join(memory_line(hit.memory) for hit in hits) or "Nothing is known."

    def remember(statement: str) -> str:
        """Remember one statement that will matter in later conversations.

        Args:
            statement: One statement that stands for itself: who, what, when. No secrets.
        """
        return f"Remembered as {known.write(statement).citation}."

    return FunctionToolset(tools=[recall, remember], id="workspace-memory")


class WorkspaceMessageHistory:
    """The messages of a conversation, for `message_history=`, so that any process goes on with it.

    People read them in the console, and facts and preferences are looked for in them.
    """

    def __init__(self, conversation: str, memory: Memory | None = None) -> None:
        self._items = ConversationItems(memory or Memory(), conversation, kind=KIND)

    async def load(self, limit: int | None = None) -> list[ModelMessage]:
        """Return the newest `limit` messages, or all of them, oldest first."""
        messages = await asyncio.to_thread(self._items.read, limit)
        found = (self._items.item(message, _revived) for message in messages)
        return [message for message in found if message is not None]

    async def append(self, messages: Sequence[ModelMessage]) -> None:
        """Append messages: `await history.append(result.new_messages())`."""
        dumped = ModelMessagesTypeAdapter.dump_python(list(messages), mode="json")
        bodies = [_readable(message, item) for message, item in zip(messages, dumped, strict=True)]
        await asyncio.to_thread(self._items.append, bodies)

    async def clear(self) -> None:
        """Delete the conversation. This cannot be undone."""
        await asyncio.to_thread(self._items.clear)


def _revived(item: dict[str, Any]) -> ModelMessage:
    return ModelMessagesTypeAdapter.validate_python([item])[0]


def _readable(message: ModelMessage, item: Any) -> tuple[Any, str, Any]:
    """Return a message with its role and its text for people."""
    kinds = {"user-prompt", "text"}
    said = [part for part in message.parts if part.part_kind in kinds]
    shown = said or message.parts
    text = "\n".join(joined_text(getattr(part, "content", "")) or _called(part) for part in shown)
    role = "assistant" if isinstance(message, ModelResponse) else "user"
    return (role if said else "tool"), text, item


def _called(part: Any) -> str:
    return f"{part.tool_name}({part.args})" if hasattr(part, "args") else ""
