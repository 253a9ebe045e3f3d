"""The JSON of nodes, edges, types, connections and of what was found between them."""

from __future__ import annotations

from typing import Any

from core.clock import moment
from ontology.models import GOVERNED_TYPES, Change, Edge, Node
from ontology.nodes_and_edges.selectors import TypeCount


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
        "independent_references": node.independent_references,
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


def change_json(change: Change) -> dict[str, Any]:
    return {
        "id": str(change.id),
        "action": change.action,
        "actor": {"kind": change.actor_kind, "id": change.actor_id, "label": change.actor_label},
        "before": change.before,
        "created_at": moment(change.created_at),
    }


def _id(identity: object) -> str | None:
    return None if identity is None else str(identity)
