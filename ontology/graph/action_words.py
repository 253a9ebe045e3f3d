"""Actions on nodes in the product's words: "order-desk edited it", not "PATCH ontology/nodes". Pure."""

from __future__ import annotations

VERBS = {
    "POST ontology/nodes": "added it",
    "POST ontology/nodes/bulk": "added it with others",
    "GET ontology/nodes/{node_id}": "read it",
    "PATCH ontology/nodes/{node_id}": "edited it",
    "PUT ontology/nodes/{node_id}": "edited it",
    "DELETE ontology/nodes/{node_id}": "deleted it",
    "POST ontology/nodes/{node_id}/restore": "restored it",
    "GET ontology/nodes/{node_id}/history": "read its history",
    "GET ontology/nodes/{node_id}/neighbours": "looked at what is around it",
    "GET ontology/nodes/{node_id}/impact": "looked at what leads to it",
    "GET ontology/nodes/{node_id}/actions": "read what agents did with it",
    "POST ontology/path": "looked for a path from or to it",
    "POST ontology/edges": "connected it",
    "POST ontology/edges/bulk": "connected it with others",
    "GET ontology/edges/{edge_id}": "read an edge of it",
    "PATCH ontology/edges/{edge_id}": "edited an edge of it",
    "DELETE ontology/edges/{edge_id}": "deleted an edge of it",
    "POST ontology/merge": "merged it",
    "POST ontology/merges/{merge_id}/undo": "undid a merge of it",
    "POST ontology/prompt": "named it in a text",
    "POST ontology/ask": "asked and got it in the answer",
    "POST ontology/search": "found it",
    "POST memories": "remembered it",
    "GET memories/{memory_id}": "read it",
    "PATCH memories/{memory_id}": "edited it",
    "DELETE memories/{memory_id}": "forgot it",
    "POST memories/search": "found it",
    "POST context": "got it in a context",
}
OF_TYPE = {
    "graph_query": "read it",
    "ontology_mutation": "changed it",
    "connection_ingest": "imported it",
    "config_change": "changed its settings",
    "tool_call": "used it",
}


def describe_action(action_type: str, tool: str) -> str:
    """Return what an agent did to a node, after the agent's name; a tool of the agent's own is named as it is."""
    known = VERBS.get(tool) or _of_tool(tool)
    if known:
        return known
    verb = OF_TYPE.get(action_type, action_type.replace("_", " "))
    return f"{verb} with {tool}" if tool else verb


def _of_tool(tool: str) -> str:
    """Return the words of a tool of the MCP door, `memory.edit`, by its last part."""
    tool = tool.replace(".", "_")
    if not tool.startswith(("ontology_", "memory_")):
        return ""
    ends = {
        "add": "added it",
        "create": "added it",
        "edit": "edited it",
        "update": "edited it",
        "delete": "deleted it",
        "forget": "forgot it",
        "search": "found it",
        "find": "found it",
        "connect": "connected it",
        "merge": "merged it",
        "neighbours": "looked at what is around it",
        "remember": "remembered it",
        "get": "read it",
        "read": "read it",
    }
    return ends.get(tool.rpartition("_")[2], "")
