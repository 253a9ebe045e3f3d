"""The structured results of tools: the fields that an agent can use, of what REST answers in full."""

from __future__ import annotations

from typing import Any

# Pydantic reads this one on Python 3.11 as well.
from typing_extensions import TypedDict


class NodeShape(TypedDict):
    id: str
    type: str
    name: str
    content: str | None
    properties: dict[str, Any]
    importance_score: float
    reference_count: int
    independent_references: int
    is_deleted: bool
    created_at: str
    updated_at: str


class NodeHitShape(TypedDict):
    node: NodeShape
    score: float
    arms: dict[str, dict[str, float]]
    importance: float
    recency: float


class NodeHitsShape(TypedDict):
    results: list[NodeHitShape]
    method: str
    latency_ms: float


class NeighbourShape(TypedDict):
    node: NodeShape
    distance: int


class EdgeShape(TypedDict):
    id: str
    type: str
    source: str
    target: str


class NeighboursShape(TypedDict):
    node: NodeShape
    results: list[NeighbourShape]
    edges: list[EdgeShape]
    is_truncated: bool
    method: str
    latency_ms: float


class CitedShape(TypedDict):
    node_id: str
    mark: str


class ClaimShape(TypedDict):
    text: str
    citations: list[CitedShape]


class AnswerShape(TypedDict):
    text: str
    found: bool
    claims: list[ClaimShape]
    method: str
    left_out: list[str]
    latency_ms: float


class LearntShape(TypedDict):
    nodes: list[dict[str, Any]]
    edges: list[dict[str, Any]]
    left_out: list[dict[str, Any]]
