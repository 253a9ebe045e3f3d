"""Memory for LlamaIndex: a chat memory that is a conversation of the workspace, with recall in front of it."""

from __future__ import annotations

from typing import Any

from llama_index.core.base.llms.types import ChatMessage, MessageRole
from llama_index.core.bridge.pydantic import Field, PrivateAttr
from llama_index.core.memory import BaseMemory
from typing_extensions import Self

from workspace_memory.integrations.conversation_items import ConversationItems, role_of
from workspace_memory.integrations.recalled_context import recall_text
from workspace_memory.models import Message
from workspace_memory.sync.client import Memory

KIND = "llama-index"
LAST, TOKEN_BUDGET = 20, 1_000


class WorkspaceChatMemory(BaseMemory):
    """The memory of a chat: its newest messages, and in front of them what is remembered about the question.

    People read the messages in the console, and facts and preferences are looked for in them.
    """

    session_id: str
    limit: int = Field(default=LAST, description="The number of newest messages that a model is given.")
    token_budget: int = Field(default=TOKEN_BUDGET, description="Tokens of what is remembered; 0 recalls nothing.")
    _memory: Memory = PrivateAttr()
    _items: ConversationItems = PrivateAttr()

    def __init__(self, session_id: str, memory: Memory | None = None, **fields: Any) -> None:
        super().__init__(session_id=session_id, **fields)
        self._memory = memory or Memory()
        self._items = ConversationItems(self._memory, session_id, kind=KIND)

    @classmethod
    def class_name(cls) -> str:
        """Return the name of the class."""
        return "WorkspaceChatMemory"

    @classmethod
    def from_defaults(
        cls, *, session_id: str = "chat", chat_history: list[ChatMessage] | None = None, **kwargs: Any
    ) -> Self:
        """Return the memory of a chat, to which messages are appended."""
        kwargs.pop("llm", None)  # chat engines give every memory their own
        memory = cls(session_id, **kwargs)
        memory.put_messages(chat_history or [])
        return memory

    def get(self, input: str | None = None, **kwargs: Any) -> list[ChatMessage]:
        """Return the newest messages, and in front of them what is remembered about the input."""
        known = recall_text(self._memory, input or "", token_budget=self.token_budget) if self.token_budget else ""
        recalled = [ChatMessage(role=MessageRole.SYSTEM, content=known)] if known else []
        return [*recalled, *self._read(self.limit)]

    def get_all(self) -> list[ChatMessage]:
        """Return all messages, oldest first."""
        return self._read(None)

    def put(self, message: ChatMessage) -> None:
        """Append a message."""
        self.put_messages([message])

    def put_messages(self, messages: list[ChatMessage]) -> None:
        """Append messages."""
        self._items.append(
            [(role_of(one.role.value), one.content or "", one.model_dump(mode="json")) for one in messages]
        )

    def set(self, messages: list[ChatMessage]) -> None:
        """Put these messages in place of all others, which are taken out of the chat."""
        self.reset()
        self.put_messages(messages)

    def reset(self) -> None:
        """Delete the conversation. This cannot be undone."""
        self._items.clear()

    def _read(self, limit: int | None) -> list[ChatMessage]:
        read = (self._revived(message) for message in self._items.read(limit))
        return [message for message in read if message is not None]

    def _revived(self, message: Message) -> ChatMessage | None:
        if item := self._items.item(message, ChatMessage.model_validate):
            return item
        return None if message.role == "tool" else ChatMessage(role=message.role, content=message.content)
