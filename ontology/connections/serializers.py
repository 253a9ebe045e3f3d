"""The JSON of nodes, edges, types, connections and of what was found between them."""

from __future__ import annotations

from typing import Any

from core.clock import moment
from ontology.models import Connection


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


def _removal_json(connection: Connection) -> dict[str, Any]:
    return {
        "is_complete": connection.removed_at is not None,
        "nodes": connection.removed_nodes,
        "edges": connection.removed_edges,
        "vectors": connection.removed_vectors,
        "total": connection.to_remove,
        "completed_at": moment(connection.removed_at),
    }
