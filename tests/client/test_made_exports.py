"""Files that the products' own packages wrote are read whole.

`made_exports` was made with mem0ai 2.2.1 (a local vector store), graphiti-core 0.31.2, zep-cloud 4.0.1, letta-client
1.12.1, hindsight-client 1.1.0 and mcp-memory-service 12.4.0 (their models and writers), and with
@modelcontextprotocol/server-memory 2026.8.31.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from workspace_memory.importing import formats
from workspace_memory.importing.items import EdgeItem, MemoryItem, MessageItem, NodeItem

MADE = Path(__file__).with_name("made_exports")


@pytest.mark.parametrize(
    ("file", "format", "kinds", "spaces"),
    [
        ("mem0.json", "mem0", [MemoryItem, MemoryItem], {"user:alice", "user:bob"}),
        ("graphiti.jsonl", "graphiti", [NodeItem, NodeItem, MemoryItem, EdgeItem], {"group:acme"}),
        ("zep.json", "graphiti", [NodeItem, NodeItem, MemoryItem, EdgeItem, MessageItem], {"user:alice"}),
        ("letta.json", "letta", [MemoryItem, MemoryItem], {""}),
        ("hindsight.json", "hindsight", [MemoryItem], {""}),
        ("mcp-memory-service.json", "mcp-memory-service", [MemoryItem], {""}),
        ("memory-graph.json", "memory-graph", [NodeItem, NodeItem, EdgeItem], {""}),
    ],
)
def test_what_a_product_wrote_is_read_whole(file: str, format: str, kinds: list[type], spaces: set[str]) -> None:
    found = list(formats.items_of(MADE / file, format))

    assert formats.format_of(MADE / file) == format
    assert [type(item) for item in found] == kinds
    assert {getattr(item, "space", None) for item in found} == spaces
