"""Types of the actions that calls amount to, as views and tools declare them."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class ActionTypes:
    """What calls of one kind are in telemetry: those that read, and those that write.

    `is_search` where an empty list of results is a dead end; `node_type` is the type of node that they are about. Where
    `opens_nodes`, the type of the node that a call opens stands in its place.
    """

    reading: str = "tool_call"
    writing: str = "tool_call"
    is_search: bool = False
    node_type: str = ""
    opens_nodes: bool = False


TOOL_CALL = ActionTypes()
CONFIGURATION = ActionTypes(writing="config_change")
ONTOLOGY = ActionTypes("graph_query", "ontology_mutation")
NODES = replace(ONTOLOGY, node_type="node", opens_nodes=True)
EDGES = replace(NODES, node_type="edge")
CATALOGUE = replace(ONTOLOGY, node_type="type")
INGESTION = replace(ONTOLOGY, writing="connection_ingest", node_type="connection")
SEARCH = ActionTypes("graph_query", "graph_query", is_search=True)
# Of one type whatever it finds: otherwise its dead ends would be counted apart from its successes.
NODE_SEARCH = replace(SEARCH, node_type="node")
TRAVERSAL = replace(NODE_SEARCH, opens_nodes=True)
MEMORIES = replace(ONTOLOGY, node_type="memory")
MEMORY_SEARCH = replace(SEARCH, node_type="memory")
