"""The JSON of nodes, edges, types, connections and of what was found between them."""

from __future__ import annotations

from collections import Counter
from typing import Any

from ontology.graph.services.traversal import Neighbourhood, Path
from ontology.nodes_and_edges.serializers import edge_json, node_json


def neighbourhood_json(found: Neighbourhood) -> dict[str, Any]:
    return {
        "node": node_json(found.start),
        "results": [{"node": node_json(node), "distance": distance} for node, distance in found.nodes],
        "edges": [edge_json(edge) for edge in found.edges],
        "is_truncated": found.is_truncated,
        "method": found.method,
        "latency_ms": found.latency_ms,
    }


def impact_json(found: Neighbourhood) -> dict[str, Any]:
    """A neighbourhood with how much of it lies how far, and of which types it is."""
    distances = Counter(distance for _, distance in found.nodes)
    kinds = Counter(node.type for node, _ in found.nodes)
    return {
        **neighbourhood_json(found),
        "total": len(found.nodes),
        "by_distance": [{"distance": distance, "count": count} for distance, count in sorted(distances.items())],
        "by_type": [{"type": kind, "count": count} for kind, count in kinds.most_common()],
    }


def path_json(found: Path) -> dict[str, Any]:
    """`path` is null where there is none within the bound."""
    path = {"nodes": [node_json(node) for node in found.nodes], "edges": [edge_json(edge) for edge in found.edges]}
    return {
        "path": {**path, "length": len(found.edges)} if found.nodes else None,
        "is_truncated": found.is_truncated,
        "method": found.method,
        "latency_ms": found.latency_ms,
    }
