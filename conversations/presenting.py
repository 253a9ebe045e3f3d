"""The JSON of conversations and messages: one function for each shape that clients rely on."""

from __future__ import annotations

from typing import Any

from conversations.models import Conversation, Message
from conversations.services.recalling import Recalled
from conversations.services.searching import Found, Hit
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


def found_json(found: Found) -> dict[str, Any]:
    return {
        "results": [_hit_json(hit) for hit in found.hits],
        "method": found.method,
        "latency_ms": found.latency_ms,
    }


def recalled_json(recalled: Recalled) -> dict[str, Any]:
    return {
        "results": [
            {
                **_hit_json(passage.hit),
                "before": [message_json(message) for message in passage.before],
                "after": [message_json(message) for message in passage.after],
            }
            for passage in recalled.passages
        ],
        "method": recalled.method,
        "latency_ms": recalled.latency_ms,
    }


def _hit_json(hit: Hit) -> dict[str, Any]:
    return {"message": message_json(hit.message), "score": hit.score, "reasons": list(hit.reasons)}
