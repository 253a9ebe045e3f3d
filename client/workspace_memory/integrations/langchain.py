"""Memory for LangChain: the history of a chat, a retriever over memories, and recall before a model is called."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.chat_history import BaseChatMessageHistory
from langchain_core.documents import Document
from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    message_to_dict,
    messages_from_dict,
)
from langchain_core.retrievers import BaseRetriever
from pydantic import Field
from typing_extensions import Unpack

from workspace_memory.integrations.conversation_items import ConversationItems, joined_text, role_of
from workspace_memory.integrations.recalled_context import MAX_QUERY_CHARACTERS, recall_text
from workspace_memory.models import Message, Mode
from workspace_memory.request_fields import ContextFields
from workspace_memory.sync.client import Memory

KIND = "langchain"
_BY_ROLE: dict[str, type[BaseMessage]] = {"user": HumanMessage, "assistant": AIMessage, "system": SystemMessage}


class WorkspaceChatHistory(BaseChatMessageHistory):
    """The messages of a session, kept in a conversation of the workspace.

    Facts and preferences are looked for in them. `limit` reads the newest messages only.
    """

    def __init__(self, session_id: str, memory: Memory | None = None, *, limit: int | None = None) -> None:
        super().__init__()
        self._items = ConversationItems(memory or Memory(), session_id, kind=KIND)
        self._limit = limit

    @property
    def messages(self) -> list[BaseMessage]:
        """The messages, oldest first; those that something else wrote into the conversation as plain text."""
        read = (self._revived(message) for message in self._items.read(self._limit))
        return [message for message in read if message is not None]

    def add_messages(self, messages: Sequence[BaseMessage]) -> None:
        """Append messages."""
        self._items.append([(role_of(one.type), joined_text(one.content), message_to_dict(one)) for one in messages])

    def clear(self) -> None:
        """Delete the conversation. This cannot be undone."""
        self._items.clear()

    def _revived(self, message: Message) -> BaseMessage | None:
        if item := self._items.item(message, lambda item: messages_from_dict([item])[0]):
            return item
        written_by = _BY_ROLE.get(message.role)
        return written_by(content=message.content) if written_by else None


class WorkspaceRetriever(BaseRetriever):
    """Memories and facts that fit a query, best first, as documents whose metadata has `id`, `score` and `citation`."""

    memory: Memory = Field(default_factory=Memory)
    k: int = 5
    mode: Mode = "hybrid"
    filters: dict[str, Any] = Field(default_factory=dict)

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        found = self.memory.search(query[:MAX_QUERY_CHARACTERS], limit=self.k, mode=self.mode, **self.filters)
        return [
            Document(
                id=hit.memory.id,
                page_content=hit.memory.content,
                metadata={
                    "id": hit.memory.id,
                    "score": hit.score,
                    "kind": hit.memory.kind,
                    "tags": hit.memory.tags,
                    "citation": hit.memory.citation,
                },
            )
            for hit in found
        ]


def with_recall(memory: Memory, messages: Sequence[BaseMessage], **fields: Unpack[ContextFields]) -> list[BaseMessage]:
    """Return messages for a model, with what is remembered about the newest question in front of them.

    Pass the result to the model and keep `messages` as they are, so that a checkpointer stores nothing twice.
    """
    questions = [message for message in messages if message.type == "human"]
    known = recall_text(memory, joined_text(questions[-1].content), **fields) if questions else ""
    if not known:
        return list(messages)
    if messages and messages[0].type == "system":  # some providers take one system message only
        return [SystemMessage(f"{joined_text(messages[0].content)}\n\n{known}"), *messages[1:]]
    return [SystemMessage(known), *messages]
