"""The JSON of hits, answers and prompts: one function for each shape that clients rely on."""

from __future__ import annotations

from typing import Any

from ontology.nodes_and_edges.serializers import node_json
from ontology.search.services.node_search import NodeHit, NodeHits


def hits_json(found: NodeHits) -> dict[str, Any]:
    return {
        "results": [hit_json(hit) for hit in found.hits],
        "method": found.method,
        "latency_ms": found.latency_ms,
    }


def hit_json(hit: NodeHit) -> dict[str, Any]:
    """A hit with what explains its score: `score` is `relevance` times a factor of `importance` and `recency`."""
    places = hit.found.places
    return {
        "node": node_json(hit.node),
        "score": round(hit.score, 6),
        "arms": {arm: {"rank": place.rank, "score": round(place.score, 6)} for arm, place in places.items()},
        "relevance": round(hit.found.score, 6),
        "importance": round(hit.standing.importance, 6),
        "recency": round(hit.standing.recency, 6),
    }
