"""The structured results of tools: the fields that an agent can use, of what REST answers in full."""

from __future__ import annotations

from typing import Any

# Pydantic reads this one on Python 3.11 as well.
from typing_extensions import TypedDict


class ItemShape(TypedDict):
    id: str
    reason: str
    score: float
    source: str
    author: str | None


class BlockShape(TypedDict):
    name: str
    text: str
    tokens: int
    items: list[ItemShape]


class DroppedShape(TypedDict):
    id: str
    reason: str


class ContextShape(TypedDict):
    text: str
    blocks: list[BlockShape]
    tokens_used: int
    token_budget: int
    dropped: list[DroppedShape]
    left_out: list[str]
    facts_over_budget: bool
    receipt_id: str | None


class RunShape(TypedDict):
    id: str
    agent: str
    conversation: str | None
    status: str
    started_at: str
    finished_at: str | None


class CitationShape(TypedDict):
    memory_id: str
    counted: bool


class FinishedShape(TypedDict):
    run: RunShape
    citations: list[CitationShape]
    unresolved: list[str]


class MessageShape(TypedDict):
    id: str
    conversation_id: str
    role: str
    name: str | None
    content: str
    session: str
    created_at: str


class MessagesShape(TypedDict):
    results: list[MessageShape]


class EndedShape(TypedDict):
    conversation_id: str
    status: str
    extraction: str


class ToggleShape(TypedDict):
    enabled: bool
    changed: bool


class PatternShape(TypedDict):
    id: str
    key: str
    status: str
    confidence: float
    support: int
    recommendation: str
    annotation: str | None
    suppressed: bool


class SequenceShape(TypedDict):
    id: str
    session: str
    agent: str
    outcome: str
    action_count: int
    intent_summary: str
    started_at: str


class TelemetryShape(TypedDict):
    patterns: list[PatternShape]
    sequences: list[SequenceShape]


class LikeSequenceShape(TypedDict):
    sequence: SequenceShape
    score: float


class LikeSequencesShape(TypedDict):
    results: list[LikeSequenceShape]
    method: str


class InjectionShape(TypedDict):
    text: str
    tokens: int
    held_out: bool
    patterns: list[PatternShape]


class MetricShape(TypedDict):
    id: str
    name: str
    description: str | None
    builtin: bool
    event_filter: str
    success_condition: str
    aggregation: str
    measure: str
    window_days: int


class MetricsShape(TypedDict):
    results: list[MetricShape]


class PointShape(TypedDict):
    date: str
    value: float | None
    sequences: int


class BenchmarkShape(TypedDict):
    metric: str
    points: list[PointShape]
    latest: float | None
    trend: str | None


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


class FoundMessageShape(TypedDict):
    message: MessageShape
    score: float
    reasons: list[str]


class FoundMessagesShape(TypedDict):
    results: list[FoundMessageShape]
    method: str
    latency_ms: float
