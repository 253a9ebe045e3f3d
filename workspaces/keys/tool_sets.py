"""Sets of MCP tools: the names by which an address or a key chooses what `tools/list` shows."""

from __future__ import annotations

from typing import Literal, get_args

ToolSet = Literal["core", "memory", "telemetry", "ontology", "all"]
TOOL_SETS: tuple[ToolSet, ...] = get_args(ToolSet)
MEANINGS: dict[ToolSet, str] = {
    "core": "what a whole session needs, in eight tools",
    "memory": "the core, and everything else about memories, users, conversations and plans",
    "telemetry": "patterns, sequences, warnings and metrics",
    "ontology": "search, neighbours, questions, learning from a text",
    "all": "all of them",
}
