"""The tools by what they are about; importing this package fills `mcp_server.registry.TOOLS`."""

from mcp_server.tools import (
    contexts,
    conversations,
    memories,
    memory_toggle,
    ontology,
    plans,
    runs,
    telemetry,
    user_memory,
)

__all__ = [
    "contexts",
    "conversations",
    "memories",
    "memory_toggle",
    "ontology",
    "plans",
    "runs",
    "telemetry",
    "user_memory",
]
