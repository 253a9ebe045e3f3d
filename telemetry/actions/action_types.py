"""What a call amounts to as an action: its type and tool, told by its route or by the tool's name alone. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

PREFIX = "v1/workspaces/<str:ws>/"
# A request may name any other word as its method, and no word of a request is kept.
METHODS = frozenset({"GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"})
_PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>")

# Reporting and reading telemetry is not what an agent set out to do; a chat turn tells of itself. Moving a workspace
# would leave a trace of the move in what was moved.
UNCAPTURED = frozenset(
    {"actions", "sequences", "patterns", "metrics", "benchmarks", "chat", "export", "import", "imports"}
)
CONFIGURING = frozenset({"settings", "memory", "api-keys", "members", "models"})
SEARCHING = frozenset({"search", "ask", "prompt", "path", "neighbours", "recall", "context"})
INGESTING = frozenset({"connections"})
KEEPING = frozenset({"memories", "ontology"})
KEEPING_TOOLS = frozenset({"memory", "ontology"})


@dataclass(frozen=True, slots=True)
class ClassifiedCall:
    """A route in the terms of telemetry; `searches` where an empty list of results is a dead end."""

    action_type: str
    tool: str
    node_type: str
    searches: bool


@lru_cache(maxsize=1_024)
def classify_call(method: str, route: str) -> ClassifiedCall | None:
    """The call behind a method and a route as the URL table writes it; None for what is not captured."""
    if method not in METHODS or not route.startswith(PREFIX):
        return None
    path = _PARAMETER.sub(r"{\1}", route.removeprefix(PREFIX))
    parts = path.split("/")
    if parts[0] in UNCAPTURED:
        return None
    searches = bool(SEARCHING & {parts[0], parts[-1]})
    node_type = "memory" if parts[0] == "memories" else ""
    return ClassifiedCall(_action_type(method, parts, searches=searches), f"{method} {path}", node_type, searches)


def action_type_of_tool(name: str, *, is_read_only: bool) -> str:
    """The type of action of an MCP tool: what REST would say of the same."""
    subject, *_ = parts = name.split(".")
    if SEARCHING & set(parts) or (is_read_only and subject in KEEPING_TOOLS):
        return "graph_query"
    if is_read_only:
        return "tool_call"
    if subject in KEEPING_TOOLS:
        return "ontology_mutation"
    return "config_change" if subject == "workspace" else "tool_call"


def _action_type(method: str, parts: list[str], *, searches: bool) -> str:
    reads = method in {"GET", "HEAD", "OPTIONS"}
    if searches or (reads and parts[0] in KEEPING):
        return "graph_query"
    if reads:
        return "tool_call"
    if INGESTING & set(parts):
        return "connection_ingest"
    if parts[0] in KEEPING:
        return "ontology_mutation"
    return "config_change" if parts[0] in CONFIGURING else "tool_call"
