"""Exports of other products, small and by hand, whole and broken."""

from __future__ import annotations

import json
from typing import Any


def _node(name: str, parent: str | None, message: dict[str, Any] | None, children: list[str]) -> dict[str, Any]:
    return {"id": name, "parent": parent, "message": message, "children": children}


def _chatgpt_message(name: str, role: str, *parts: Any, at: float | None = 1767254400.0) -> dict[str, Any]:
    return {
        "id": name,
        "author": {"role": role, "name": None},
        "create_time": at,
        "content": {"content_type": "text", "parts": list(parts)},
        "metadata": {},
    }


CHATGPT_CONVERSATION = {
    "title": "Tea",
    "conversation_id": "c-1",
    "current_node": "d",
    "mapping": {
        "root": _node("root", None, None, ["a"]),
        "a": _node("a", "root", _chatgpt_message("m-a", "user", "When is tea ordered?"), ["b", "c"]),
        "b": _node("b", "a", _chatgpt_message("m-b", "assistant", "On Sundays.", at=1767254401.0), []),
        "c": _node("c", "a", _chatgpt_message("m-c", "assistant", "On Mondays.", at=1767254402.5), ["d"]),
        "d": _node("d", "c", _chatgpt_message("m-d", "user", {"content_type": "image_asset_pointer"}), []),
    },
}
CHATGPT = json.dumps([CHATGPT_CONVERSATION])
CHATGPT_BROKEN: list[Any] = [
    None,
    7,
    [],
    {},
    {"conversation_id": "c", "mapping": []},
    {"conversation_id": "c", "mapping": {"a": None}},
    {"conversation_id": "c", "mapping": {"a": {"parent": "b"}, "b": {"parent": "a"}}, "current_node": "a"},
    {"conversation_id": "c", "mapping": {"a": {"message": {"author": 7, "content": 7, "create_time": "x"}}}},
    {"conversation_id": "c", "mapping": {"a": {"message": {"author": {"role": "user"}, "content": {"parts": 7}}}}},
    {"conversation_id": 7, "id": ["x"], "mapping": {"a": {}}},
]

CLAUDE_CONVERSATION = {
    "uuid": "c-2",
    "name": "Bread",
    "chat_messages": [
        {
            "uuid": "m-1",
            "sender": "human",
            "text": "How often is dough folded?",
            "created_at": "2026-01-01T08:00:00.123456Z",
            "attachments": [{"file_name": "recipe.pdf"}],
        },
        {
            "uuid": "m-2",
            "sender": "assistant",
            "content": [{"type": "thinking", "thinking": "Hm."}, {"type": "text", "text": "Three times."}],
            "text": "",
            "created_at": "2026-01-01T08:00:05Z",
        },
        {"uuid": "m-3", "sender": "assistant", "text": " "},
        {"uuid": "m-4", "sender": "ghost", "text": "Boo."},
    ],
}
CLAUDE = json.dumps([CLAUDE_CONVERSATION])
CLAUDE_BROKEN: list[Any] = [
    None,
    {},
    {"uuid": "c"},
    {"uuid": "c", "chat_messages": 7},
    {"uuid": "c", "chat_messages": [None, 7, [], {"sender": 7}, {"sender": "human", "text": 7, "content": {"a": 1}}]},
    {"uuid": ["c"], "chat_messages": []},
]

CLAUDE_CODE = "\n".join(
    json.dumps(line)
    for line in (
        {"type": "summary", "summary": "Ovens", "leafUuid": "l-1"},
        {
            "type": "user",
            "uuid": "u-1",
            "sessionId": "s-1",
            "timestamp": "2026-01-01T08:00:00Z",
            "message": {"role": "user", "content": "How hot is the oven?"},
        },
        {
            "type": "assistant",
            "uuid": "u-2",
            "sessionId": "s-1",
            "timestamp": "2026-01-01T08:00:09Z",
            "message": {"role": "assistant", "content": [{"type": "text", "text": "It runs 10 degrees hot."}]},
        },
        {
            "type": "assistant",
            "uuid": "u-3",
            "sessionId": "s-1",
            "message": {"role": "assistant", "content": [{"type": "tool_use", "name": "Bash", "input": {}}]},
        },
        {
            "type": "user",
            "uuid": "u-4",
            "sessionId": "s-1",
            "message": {"role": "user", "content": [{"type": "tool_result", "content": "x"}]},
        },
        {"type": "user", "uuid": "u-5", "isSidechain": True, "message": {"content": "A sub-agent's briefing."}},
    )
)
CLAUDE_CODE_BROKEN = [
    "{",
    "7",
    "[]",
    '{"type": "user"}',
    '{"type": ["user"]}',
    '{"type":"user","message":{"content":7}}',
]

MEM0_TIMES = {"created_at": "2025-03-01T09:30:00.5-07:00", "updated_at": "2025-04-01T00:00:00Z"}
MEM0 = json.dumps(
    {
        "results": [
            {
                "id": "1",
                "memory": "Alice drinks tea.",
                "user_id": "alice",
                "categories": ["food, drink", 7],
                **MEM0_TIMES,
            },
            {"id": "2", "memory": "Bob bakes.", "metadata": {}, "created_at": "yesterday", "updated_at": None},
            {"id": "3"},
        ]
    }
)
MEM0_BROKEN: list[Any] = [None, 7, [], {}, {"results": [None, 7, {"memory": 7}]}, {"memory": ["x"]}, {"memory": " "}]

MARKDOWN = """---
title: Ovens
---
Two shops.

# Ovens

## Second shop

It runs 10 degrees hot.

```sh
# no heading
```

## Empty
"""

GRAPHITI_BROKEN: list[Any] = [None, 7, [], {}, {"nodes": [None, 7, {"name": "x"}]}, {"uuid": ["x"], "name": "x"}]
LETTA_BROKEN: list[Any] = [
    None,
    7,
    [],
    {},
    {"agents": [None, {"messages": [None, {"role": 7}, {"role": "user", "content": 7}]}]},
    {"label": "human", "value": " "},
    {"text": " "},
]
HINDSIGHT_BROKEN: list[Any] = [None, 7, [], {}, {"items": [None, {"text": 7}]}, {"text": " "}]
MCP_MEMORY_SERVICE_BROKEN: list[Any] = [None, 7, [], {}, {"memories": [None, {"content": 7}]}, {"content": " "}]
MEMORY_GRAPH_BROKEN: list[Any] = [None, 7, [], {}, {"type": "entity"}, {"type": "relation", "from": "x"}, {"name": " "}]
