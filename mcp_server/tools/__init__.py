"""The tools by what they are about; importing this package fills `mcp_server.registry.TOOLS`."""

from mcp_server.tools import conversations, memories, ontology, runs, telemetry, workspace

__all__ = ["conversations", "memories", "ontology", "runs", "telemetry", "workspace"]
