"""Agents of frameworks that use the MCP door: each lists the tools, and works until its model answers."""
