"""The JSON of nodes, edges, types, connections and of what was found between them."""

from __future__ import annotations

from typing import Any

from core.clock import moment
from ontology.models import Merge, MergeCandidate
from ontology.nodes_and_edges.serializers import node_json


def candidate_json(candidate: MergeCandidate) -> dict[str, Any]:
    return {
        "id": str(candidate.id),
        "nodes": [node_json(candidate.first), node_json(candidate.second)],
        "score": candidate.score,
        "reasons": candidate.reasons,
        "kept_apart_at": moment(candidate.kept_apart_at),
        "kept_apart_by": candidate.kept_apart_by,
        "created_at": moment(candidate.created_at),
    }


def merge_json(merge: Merge) -> dict[str, Any]:
    record = merge.record
    return {
        "id": str(merge.id),
        "kept": str(merge.kept_id),
        "absorbed": str(merge.absorbed_id),
        "moved_edges": len({*record["moved_out"], *record["moved_in"]}),
        "dropped_edges": len(record["dropped"]),
        "moved_references": record["references"],
        "added_properties": sorted(record["added"]),
        "merged_by": merge.merged_by,
        "merged_at": moment(merge.created_at),
        "undone_at": moment(merge.undone_at),
        "undone_by": merge.undone_by,
    }
