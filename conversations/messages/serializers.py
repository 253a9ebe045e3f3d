"""The JSON of conversations and messages: one function for each shape that clients rely on."""

from __future__ import annotations

from typing import Any

from conversations.models import Conversation, Message
from core.clock import moment


def conversation_json(conversation: Conversation) -> dict[str, Any]:
    return {
        "id": str(conversation.id),
        "key": conversation.key,
        "title": conversation.title,
        "status": conversation.status,
        "created_at": moment(conversation.created_at),
        "last_message_at": moment(conversation.last_message_at),
        "ended_at": moment(conversation.ended_at),
    }


def message_json(message: Message) -> dict[str, Any]:
    return {
        "id": str(message.id),
        "conversation_id": str(message.conversation_id),
        "role": message.role,
        "name": message.name or None,
        "content": message.content,
        "metadata": message.metadata,
        "session": message.session,
        "created_at": moment(message.created_at),
        "consolidated_at": moment(message.consolidated_at),
    }
