"""The packages of the product, whose modules the rules look at."""

from __future__ import annotations

PACKAGES = (
    "chat",
    "config",
    "conversations",
    "core",
    "llm",
    "mcp_server",
    "memory",
    "ontology",
    "telemetry",
    "transfer",
    "workspaces",
)
