"""The JSON of nodes, edges, types, connections and of what was found between them."""

from __future__ import annotations

from collections import Counter
from typing import Any

from core.clock import moment
from ontology.models import GOVERNED_TYPES, Change, Connection, Edge, Merge, MergeCandidate, Node
from ontology.selectors import TypeCount
from ontology.services.traversal import Neighbourhood, Path


def node_json(node: Node) -> dict[str, Any]:
    """A node; `content` is the text of one that stands for a memory, and null otherwise."""
    return {
        "id": str(node.id),
        "type": node.type,
        "name": node.name,
        "content": node.body if node.type in GOVERNED_TYPES else None,
        "properties": node.properties,
        "importance_score": node.importance_score,
        "reference_count": node.reference_count,
        "last_referenced_at": moment(node.last_referenced_at),
        "connection": _id(node.connection_id),
        "provenance": node.provenance,
        "is_deleted": node.is_deleted,
        "deleted_at": moment(node.deleted_at),
        "created_at": moment(node.created_at),
        "updated_at": moment(node.updated_at),
    }


def edge_json(edge: Edge) -> dict[str, Any]:
    return {
        "id": str(edge.id),
        "type": edge.type,
        "source": str(edge.source_id),
        "target": str(edge.target_id),
        "properties": edge.properties,
        "connection": _id(edge.connection_id),
        "provenance": edge.provenance,
        "is_deleted": edge.is_deleted,
        "deleted_at": moment(edge.deleted_at),
        "created_at": moment(edge.created_at),
        "updated_at": moment(edge.updated_at),
    }


def type_json(counted: TypeCount) -> dict[str, Any]:
    entry = counted.entry
    return {
        "id": str(entry.id),
        "entity": counted.entity,
        "name": entry.name,
        "description": entry.description,
        "count": counted.count,
        "is_deleted": entry.is_deleted,
        "created_at": moment(entry.created_at),
    }


def connection_json(connection: Connection) -> dict[str, Any]:
    """A connection; `removal` tells how far the removal of a deleted one's slice is, and is null otherwise."""
    return {
        "id": str(connection.id),
        "name": connection.name,
        "kind": connection.kind,
        "is_deleted": connection.is_deleted,
        "deleted_at": moment(connection.deleted_at),
        "created_at": moment(connection.created_at),
        "removal": _removal_json(connection) if connection.is_deleted else None,
    }


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


def change_json(change: Change) -> dict[str, Any]:
    return {
        "id": str(change.id),
        "action": change.action,
        "actor": {"kind": change.actor_kind, "id": change.actor_id, "label": change.actor_label},
        "before": change.before,
        "created_at": moment(change.created_at),
    }


def _removal_json(connection: Connection) -> dict[str, Any]:
    return {
        "is_complete": connection.removed_at is not None,
        "nodes": connection.removed_nodes,
        "edges": connection.removed_edges,
        "vectors": connection.removed_vectors,
        "total": connection.to_remove,
        "completed_at": moment(connection.removed_at),
    }


def _id(identity: object) -> str | None:
    return None if identity is None else str(identity)
