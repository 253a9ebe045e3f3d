"""What the server answers about questions to the ontology, typed.

Written by `manage.py write_sdk` from the server's schemas.
"""

from __future__ import annotations

from workspace_memory.base_models import Answer
from workspace_memory.node_models import Edge, Node

__all__ = [
    "AnswerStep",
    "AnsweredNode",
    "Claim",
    "ClaimSource",
    "LearntEdge",
    "LearntNode",
    "LearntText",
    "LeftOutName",
    "ModelUsage",
    "OntologyAnswer",
    "PromptResult",
]


class ClaimSource(Answer):
    """A node as a claim cites it."""

    node_id: str
    mark: str


class AnsweredNode(Answer):
    """A node that an answer cites."""

    node_id: str
    mark: str
    type: str
    name: str
    counted: bool


class Claim(Answer):
    """One thing that an answer says, and the nodes that say so."""

    text: str
    citations: list[ClaimSource]


class ModelUsage(Answer):
    """What the model's call took."""

    prompt_run: str
    input_tokens: int
    output_tokens: int
    credits: float


class AnswerStep(Answer):
    """One step of an answer; `left_out` says why it was, if it was."""

    step: str
    ms: float
    found: int | None = None
    dropped: int | None = None
    left_out: str | None = None


class OntologyAnswer(Answer):
    """Claims with the nodes that they rest on; `usage` is null when no model took part."""

    text: str
    found: bool
    claims: list[Claim]
    citations: list[AnsweredNode]
    method: str
    model: str | None = None
    usage: ModelUsage | None = None
    left_out: list[str]
    trace: list[AnswerStep]
    latency_ms: float


class LearntNode(Answer):
    """A node that a text names."""

    node: Node
    outcome: str
    confidence: float


class LearntEdge(Answer):
    """An edge that a text tells of."""

    edge: Edge
    outcome: str
    confidence: float


class LeftOutName(Answer):
    """A name that a text has and that was not kept."""

    name: str
    reason: str


class LearntText(Answer):
    """What a text added, and what it only confirmed."""

    nodes: list[LearntNode]
    edges: list[LearntEdge]
    left_out: list[LeftOutName]
    text_hash: str
    model: str | None = None
    usage: ModelUsage | None = None


class PromptResult(Answer):
    """What a prompt did, and the steps of all of it."""

    update: LearntText | None = None
    answer: OntologyAnswer | None = None
    trace: list[AnswerStep]
    latency_ms: float
