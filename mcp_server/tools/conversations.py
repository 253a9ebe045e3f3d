"""Tools for what was said: append to a conversation, read its end, end it."""

from __future__ import annotations

from typing import Annotated

from conversations.messages.schemas import MessageInput, MessageResponse
from conversations.messages.selectors import access_conversation, last_messages
from conversations.messages.services.message_log import append_messages
from conversations.search.schemas import MessageSearchInput, MessageSearchResponse
from conversations.search.services.message_search import search_messages
from core.action_types import SEARCH
from mcp_server.arguments import omit
from mcp_server.registry import reads, writes
from mcp_server.results import result_text
from mcp_server.schemas import ConversationKey, EndedConversationResponse, LastMessagesResponse, Limit
from memory.episodes.schemas import AddedResponse, AddInput, EndInput
from memory.episodes.services.added_messages import add_messages
from memory.episodes.services.end_conversation import end_conversation
from workspaces.access.callers import Caller


@writes("conversation.append", "Append a message", text=result_text.render_stored_message)
def append(
    caller: Caller, *, conversation: ConversationKey, body: Annotated[MessageInput, omit("metadata")]
) -> MessageResponse:
    """Add a message to a conversation; an unknown key begins one."""
    [message] = append_messages(caller=caller, conversation=conversation, messages=[body.new_message()])
    return MessageResponse.of(message)


@writes("memory.add", "Add messages", text=result_text.render_added_messages)
def add(caller: Caller, *, body: AddInput) -> AddedResponse:
    """Add turns of a conversation as they happen. Facts and preferences in them become memories by themselves, after a
    pause. For one statement that you want kept at once, use memory_remember."""
    messages = [one.new_message() for one in body.messages]
    return AddedResponse.of(add_messages(caller=caller, messages=messages, conversation=body.conversation or ""))


@reads("conversation.last", "Read the last messages", text=result_text.render_messages)
def last(caller: Caller, *, conversation: ConversationKey, limit: Limit = 20) -> LastMessagesResponse:
    """The last messages of a conversation, oldest first."""
    found = access_conversation(caller, conversation)
    messages = last_messages(caller, found, last=limit)
    return LastMessagesResponse(results=[MessageResponse.of(message) for message in messages])


@reads("conversation.search", "Search what was said", action=SEARCH, text=result_text.render_message_hits)
def search(caller: Caller, *, body: MessageSearchInput) -> MessageSearchResponse:
    """Find earlier messages by words and by meaning, in one conversation or in all of the workspace. Use it when a
    memory is not enough and you need what was actually said, by whom and when."""
    found = search_messages(caller=caller, query=body.query, limit=body.limit, conversation=body.conversation)
    return MessageSearchResponse.of(found)


@writes("conversation.end", "End a conversation", is_idempotent=True)
def end(caller: Caller, *, conversation: ConversationKey, body: EndInput) -> EndedConversationResponse:
    """Say that a conversation is over: while memory is on, facts and preferences in it become memories."""
    ended = end_conversation(caller=caller, conversation=conversation, extract=body.extract)
    return EndedConversationResponse(
        conversation_id=str(ended.conversation.id),
        status=ended.conversation.status,
        extraction=str(ended.reason or "started"),
        detail=ended.sentence,
    )
