"""The same for the ontology and telemetry."""

from __future__ import annotations

from typing import Any, Literal

from typing_extensions import TypedDict

from config.openapi.shapes import Id, Moment, Object, Place


class Node(TypedDict):
    id: Id
    type: str
    name: str
    content: str | None
    properties: Object
    importance_score: float
    reference_count: int
    independent_references: int
    last_referenced_at: Moment | None
    connection: Id | None
    provenance: Object
    is_deleted: bool
    deleted_at: Moment | None
    created_at: Moment
    updated_at: Moment


class Edge(TypedDict):
    id: Id
    type: str
    source: Id
    target: Id
    properties: Object
    connection: Id | None
    provenance: Object
    is_deleted: bool
    deleted_at: Moment | None
    created_at: Moment
    updated_at: Moment


class Type(TypedDict):
    id: Id
    entity: Literal["node", "edge"]
    name: str
    description: str
    count: int
    is_deleted: bool
    created_at: Moment


class Removal(TypedDict):
    is_complete: bool
    nodes: int
    edges: int
    vectors: int
    total: int
    completed_at: Moment | None


class Connection(TypedDict):
    id: Id
    name: str
    kind: str
    is_deleted: bool
    deleted_at: Moment | None
    created_at: Moment
    removal: Removal | None


class Neighbour(TypedDict):
    node: Node
    distance: int


class Neighbourhood(TypedDict):
    node: Node
    results: list[Neighbour]
    edges: list[Edge]
    is_truncated: bool
    method: str
    latency_ms: float


class AtDistance(TypedDict):
    distance: int
    count: int


class OfType(TypedDict):
    type: str
    count: int


class Impact(Neighbourhood):
    total: int
    by_distance: list[AtDistance]
    by_type: list[OfType]


class Way(TypedDict):
    nodes: list[Node]
    edges: list[Edge]
    length: int


class Path(TypedDict):
    path: Way | None
    is_truncated: bool
    method: str
    latency_ms: float


class Candidate(TypedDict):
    id: Id
    nodes: list[Node]
    score: float
    reasons: Any
    kept_apart_at: Moment | None
    kept_apart_by: str
    created_at: Moment


class Merge(TypedDict):
    id: Id
    kept: Id
    absorbed: Id
    moved_edges: int
    dropped_edges: int
    moved_references: int
    added_properties: list[str]
    merged_by: str
    merged_at: Moment
    undone_at: Moment | None
    undone_by: str


class Actor(TypedDict):
    kind: str
    id: str
    label: str


class Change(TypedDict):
    id: Id
    action: str
    actor: Actor
    before: Object
    created_at: Moment


class NodeHit(TypedDict):
    node: Node
    score: float
    arms: dict[str, Place]
    relevance: float
    importance: float
    recency: float


class Cited(TypedDict):
    node_id: Id
    mark: str


class CitedNode(Cited):
    type: str
    name: str
    counted: bool


class Claim(TypedDict):
    text: str
    citations: list[Cited]


class Usage(TypedDict):
    prompt_run: Id
    input_tokens: int
    output_tokens: int
    credits: float


class Step(TypedDict):
    step: str
    ms: float
    found: int | None
    dropped: int | None
    left_out: str | None


class Answer(TypedDict):
    text: str
    found: bool
    claims: list[Claim]
    citations: list[CitedNode]
    method: str
    model: str | None
    usage: Usage | None
    left_out: list[str]
    trace: list[Step]
    latency_ms: float


class LearntNode(TypedDict):
    node: Node
    outcome: str
    confidence: float


class LearntEdge(TypedDict):
    edge: Edge
    outcome: str
    confidence: float


class LeftOut(TypedDict):
    name: str
    reason: str


class Update(TypedDict):
    nodes: list[LearntNode]
    edges: list[LearntEdge]
    left_out: list[LeftOut]
    text_hash: str
    model: str | None
    usage: Usage | None


class Prompted(TypedDict):
    update: Update | None
    answer: Answer | None
    trace: list[Step]
    latency_ms: float
