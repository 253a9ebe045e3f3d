"""The JSON of memories, revisions, runs and hits: one function for each shape that clients rely on."""

from __future__ import annotations

from typing import Any

from conversations.messages.serializers import message_json
from core.clock import moment
from memory.episodes.serializers import episode_json
from memory.models import ContextReceipt
from memory.recall.budget import OVER_BUDGET
from memory.recall.services.context import Context
from memory.recall.services.conversation_window import Window


def window_json(window: Window) -> dict[str, Any]:
    return {
        "conversation_id": str(window.conversation.id),
        "text": window.text,
        "episodes": [episode_json(episode) for episode in window.episodes],
        "messages": [message_json(message) for message in window.messages],
        "tokens_used": window.tokens_used,
    }


def context_json(context: Context) -> dict[str, Any]:
    assembled = context.assembled
    return {
        "text": assembled.text,
        "blocks": [
            {
                "name": block.name,
                "text": block.text,
                "tokens": block.tokens,
                "items": [
                    {
                        "id": item.id,
                        "reason": item.reason,
                        "score": round(item.score, 6),
                        "source": item.source,
                        "author": item.author or None,
                    }
                    for item in block.items
                ],
            }
            for block in assembled.blocks
        ],
        "tokens_used": assembled.tokens_used,
        "token_budget": context.token_budget,
        "dropped": [{"id": item.id, "reason": OVER_BUDGET} for item in assembled.dropped],
        "left_out": list(context.left_out),
        "facts_over_budget": assembled.is_over_budget,
        "receipt_id": context.receipt_id and str(context.receipt_id),
    }


def receipt_json(receipt: ContextReceipt) -> dict[str, Any]:
    return {
        "id": str(receipt.id),
        "conversation": receipt.conversation or None,
        "query_sha256": receipt.query_sha256,
        "method": receipt.method or None,
        "token_budget": receipt.token_budget,
        "tokens_used": receipt.tokens_used,
        "facts_over_budget": receipt.is_over_budget,
        "chosen": receipt.chosen,
        "dropped": receipt.dropped,
        "left_out": receipt.left_out,
        "latency_ms": receipt.latency_ms,
        "created_at": moment(receipt.created_at),
    }
