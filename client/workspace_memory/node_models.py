"""What the server answers about nodes, edges and what lies between them, typed.

Written by `manage.py write_sdk` from the server's schemas.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from workspace_memory.base_models import Answer
from workspace_memory.models import Arm

__all__ = [
    "AtDistance",
    "Connection",
    "ConnectionRemoval",
    "Edge",
    "FoundPath",
    "Impact",
    "Merge",
    "MergeCandidate",
    "Neighbour",
    "Neighbourhood",
    "Node",
    "NodeActor",
    "NodeChange",
    "NodeHit",
    "NodePath",
    "NodeType",
    "OfType",
]


class Node(Answer):
    """A node; `content` is the text of one that stands for a memory, and null otherwise."""

    id: str
    type: str
    name: str
    content: str | None = None
    properties: dict[str, Any]
    importance_score: float
    reference_count: int
    independent_references: int
    last_referenced_at: datetime | None = None
    connection: str | None = None
    provenance: dict[str, Any]
    is_deleted: bool
    deleted_at: datetime | None = None
    created_at: datetime
    updated_at: datetime


class Edge(Answer):
    """An edge, from `source` to `target`."""

    id: str
    type: str
    source: str
    target: str
    properties: dict[str, Any]
    connection: str | None = None
    provenance: dict[str, Any]
    is_deleted: bool
    deleted_at: datetime | None = None
    created_at: datetime
    updated_at: datetime


class NodeType(Answer):
    """A type of the catalogue; `count` is how many live nodes (visible edges) have it."""

    id: str
    entity: str
    name: str
    description: str
    count: int
    is_deleted: bool
    created_at: datetime


class NodeActor(Answer):
    """Who did something."""

    kind: str
    id: str
    label: str


class NodeChange(Answer):
    """One step in the history of a node; `before` holds what it replaced."""

    id: str
    action: str
    actor: NodeActor
    before: dict[str, Any]
    created_at: datetime


class NodeHit(Answer):
    """A node that a search found; `score` is `relevance` times a factor of `importance` and `recency`."""

    node: Node
    score: float
    confidence: float | None = None
    arms: dict[str, Arm]
    relevance: float
    importance: float
    recency: float


class Neighbour(Answer):
    """A node, and how many edges away it is."""

    node: Node
    distance: int


class Neighbourhood(Answer):
    """The nodes around a node, nearest first, and the edges among all of them."""

    node: Node
    results: list[Neighbour]
    edges: list[Edge]
    is_truncated: bool
    method: str
    latency_ms: float


class AtDistance(Answer):
    """How many nodes are so far away."""

    distance: int
    count: int


class OfType(Answer):
    """How many nodes are of a type."""

    type: str
    count: int


class Impact(Neighbourhood):
    """A neighbourhood with how much of it lies how far, and of which types it is."""

    total: int
    by_distance: list[AtDistance]
    by_type: list[OfType]


class NodePath(Answer):
    """The nodes of a path from its start to its end, and the edges between them."""

    nodes: list[Node]
    edges: list[Edge]
    length: int


class FoundPath(Answer):
    """A shortest path; `path` is null where there is none within the bound."""

    path: NodePath | None = None
    is_truncated: bool
    method: str
    latency_ms: float


class ConnectionRemoval(Answer):
    """How far the removal of a deleted connection's slice is."""

    is_complete: bool
    nodes: int
    edges: int
    vectors: int
    total: int
    completed_at: datetime | None = None


class Connection(Answer):
    """A connection; `removal` is null unless it is deleted."""

    id: str
    name: str
    kind: str
    is_deleted: bool
    deleted_at: datetime | None = None
    created_at: datetime
    removal: ConnectionRemoval | None = None


class MergeCandidate(Answer):
    """Two nodes that may be one, and why."""

    id: str
    nodes: list[Node]
    score: float
    reasons: Any
    kept_apart_at: datetime | None = None
    kept_apart_by: str
    created_at: datetime


class Merge(Answer):
    """A merge, and what it moved."""

    id: str
    kept: str
    absorbed: str
    moved_edges: int
    dropped_edges: int
    moved_references: int
    added_properties: list[str]
    replaced_properties: list[str]
    merged_by: str
    merged_at: datetime
    undone_at: datetime | None = None
    undone_by: str
