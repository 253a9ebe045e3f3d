"""Types of the actions that calls amount to, as views and tools declare them."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class ActionTypes:
    """What calls of one kind are in telemetry: those that read, and those that write.

    `is_search` where an empty list of results is a dead end; `node_type` is the type of node that they are about.
    """

    reading: str = "tool_call"
    writing: str = "tool_call"
    is_search: bool = False
    node_type: str = ""


TOOL_CALL = ActionTypes()
CONFIGURATION = ActionTypes(writing="config_change")
ONTOLOGY = ActionTypes("graph_query", "ontology_mutation")
INGESTION = replace(ONTOLOGY, writing="connection_ingest")
SEARCH = ActionTypes("graph_query", "graph_query", is_search=True)
MEMORIES = replace(ONTOLOGY, node_type="memory")
MEMORY_SEARCH = replace(SEARCH, node_type="memory")
