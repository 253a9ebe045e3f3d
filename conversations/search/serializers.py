"""The JSON of conversations and messages: one function for each shape that clients rely on."""

from __future__ import annotations

from typing import Any

from conversations.messages.serializers import message_json
from conversations.search.services.message_search import MessageSearchResult, RankedMessage
from conversations.search.services.passages import PassageSearch


def found_json(found: MessageSearchResult) -> dict[str, Any]:
    return {
        "results": [_hit_json(hit) for hit in found.hits],
        "method": found.method,
        "latency_ms": found.latency_ms,
    }


def recalled_json(recalled: PassageSearch) -> dict[str, Any]:
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


def _hit_json(hit: RankedMessage) -> dict[str, Any]:
    return {"message": message_json(hit.message), "score": hit.score, "reasons": list(hit.reasons)}
