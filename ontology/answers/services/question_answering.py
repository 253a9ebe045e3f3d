"""Answering a question from what the ontology knows: embed, retrieve, compose, parse, and count what was cited."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any, TypeVar
from uuid import UUID

from django.db.models import QuerySet
from django.db.models.functions import Cast
from pgvector.django import CosineDistance, HalfVectorField
from pydantic import BaseModel

from core.clock import utc_now
from core.embedding import QueryVector
from core.text.tokens import count_tokens
from llm.call_kinds import CallKind
from llm.configuration.selectors import ResolvedModel, configured_model
from llm.embedding.services.query_vectors import query_vector
from llm.models import WorkspaceEmbedding
from llm.providers.errors import ModelError
from llm.providers.types import PromptMessage
from llm.router.services.completions import Completion, complete
from ontology.answers.answer_trace import Trace
from ontology.answers.grounding import (
    RELATION,
    AnswerSource,
    Cited,
    Claim,
    answer_text,
    extractive_claims,
    number_sources,
    select_grounded,
    select_related,
)
from ontology.answers.prompts import ANSWER_PROMPT, GivenAnswer
from ontology.models import GOVERNED_TYPES, Edge, Node, NodeEmbedding
from ontology.nodes_and_edges.edge_sentences import edge_sentence, visible_edges
from ontology.nodes_and_edges.selectors import NodeFilter
from ontology.nodes_and_edges.services.node_writer import count_references
from ontology.search.services.node_search import ANYTHING, NodeHit, find_nodes
from telemetry.actions.call_targets import note_targets
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope
from workspaces.access.selectors import current_workspace
from workspaces.settings.workspace_settings import memory_settings

S = TypeVar("S", bound=BaseModel)

AGENT = "ontology"
MAX_CHARACTERS_OF_SOURCE = 2_000
# How many of the found nodes are asked for their edges, and how many edges an answer looks at.
MAX_NODES_WITH_EDGES = 8
MAX_EDGES = 60


@dataclass(frozen=True, slots=True)
class Used:
    """The model that wrote an answer, the prompt run that tells of it, and what it cost."""

    model: str
    prompt_run_id: UUID
    input_tokens: int
    output_tokens: int
    credits: Decimal


@dataclass(frozen=True, slots=True)
class CitedNode:
    """A node that an answer cites; `counted`, as of a run: the citation counts where the caller writes."""

    cited: Cited
    node: Node
    counted: bool = True


@dataclass(frozen=True, slots=True)
class OntologyAnswer:
    """Claims with the nodes that they rest on; none means that nothing was found. `used` is None without a model.

    Each of the `cited_nodes` got one reference, unless it is of a space that the caller only reads.
    """

    claims: Sequence[Claim]
    cited_nodes: Sequence[CitedNode]
    method: str
    used: Used | None
    trace: Trace

    @property
    def text(self) -> str:
        return answer_text(self.claims)

    @property
    def found(self) -> bool:
        """Whether anything was."""
        return bool(self.claims)

    @property
    def model(self) -> str | None:
        """The model that wrote it."""
        return self.used.model if self.used else None


def ask_ontology(
    *,
    caller: Caller,
    question: str,
    top_k: int = 12,
    narrow: NodeFilter = ANYTHING,
    as_of: datetime | None = None,
    trace: Trace | None = None,
) -> OntologyAnswer:
    """Answer from nodes that may be recalled; every claim cites one, and nothing found is said so.

    Written by the workspace's model from the `top_k` (1 to 50) best nodes, or without one, or when it fails, picked
    from their sentences. Each distinct cited node is referenced once (see `count_references`). `as_of` asks
    what was known then. Raises MissingScopeError without `read`.
    """
    caller.require(Right.READ)
    trace = trace or Trace()
    with trace.step("embed") as step:
        vector = query_vector(question, caller=caller)
        step.found = int(vector is not None)
        step.left_out = "" if vector else "No embedder answered; the search went by words."
    with trace.step("retrieve") as step:
        found = find_nodes(
            caller=caller, query=question, vector=vector, mode="hybrid", top_k=top_k, narrow=narrow, as_of=as_of
        )
        named = [hit.node.id for hit in found.hits if hit.node.name][:MAX_NODES_WITH_EDGES]
        with workspace_scope(caller):
            edges = visible_edges(caller, named, at=as_of or utc_now(), limit=MAX_EDGES)
        known = {hit.node.id: hit.node for hit in found.hits}
        known |= {node.id: node for edge in edges for node in (edge.source, edge.target)}
        offered = [*_describe_nodes(caller, found.hits, edges, vector), *_describe_edges(edges, found.hits)]
        sources = select_related(question, offered)
        step.found, step.dropped = len(sources), len(offered) - len(sources)
    claims, used = _claims(caller, question, sources, trace)
    with trace.step("count") as step:
        cited = dict.fromkeys(one for claim in claims for one in claim.cites)
        with workspace_scope(caller):
            count_references(caller=caller, node_ids=[one.id for one in cited])
        note_targets((one.id, known[one.id].type) for one in cited)
        step.found = len(cited)
    return OntologyAnswer(claims, [CitedNode(one, known[one.id]) for one in cited], found.method, used, trace)


def _claims(
    caller: Caller, question: str, sources: Sequence[AnswerSource], trace: Trace
) -> tuple[Sequence[Claim], Used | None]:
    choice = configured_model(caller, CallKind.QA, agent=AGENT) if sources else None
    completion: Completion[GivenAnswer] | None = None
    with trace.step("compose") as step:
        fitting = _within_budget(caller, sources) if choice else sources
        if choice:
            try:
                completion = _write_answer(caller, choice, question, fitting)
            except ModelError as error:
                step.left_out = error.detail
        claims = [] if completion else extractive_claims(question, sources)
        step.found = len(claims)
    with trace.step("parse") as step:
        if completion:
            given = completion.value.claims if completion.value else []
            claims, step.dropped = select_grounded([(one.text, one.sources) for one in given], fitting)
        step.found = len(claims)
    return claims, model_usage(completion) if completion else None


def _write_answer(
    caller: Caller, choice: ResolvedModel, question: str, sources: Sequence[AnswerSource]
) -> Completion[GivenAnswer]:
    return complete(
        caller=caller,
        kind=CallKind.QA,
        system=ANSWER_PROMPT,
        messages=[PromptMessage("user", f"Sources:\n{number_sources(sources)}\n\nQuestion: {question}")],
        choice=choice,
        schema=GivenAnswer,
    )


def model_usage(completion: Completion[S]) -> Used:
    """Return what a call of a model took."""
    return Used(
        completion.model,
        completion.prompt_run_id,
        completion.input_tokens,
        completion.output_tokens,
        completion.credits,
    )


def _within_budget(caller: Caller, sources: Sequence[AnswerSource]) -> list[AnswerSource]:
    """Return the best sources that fit into the workspace's token budget together."""
    left = memory_settings(current_workspace(caller)).token_budget
    fitting: list[AnswerSource] = []
    for source in sources:
        left -= count_tokens(source.text)
        if left < 0 and fitting:
            break
        fitting.append(source)
    return fitting


def _describe_nodes(
    caller: Caller, hits: Sequence[NodeHit], edges: Sequence[Edge], vector: QueryVector | None
) -> list[AnswerSource]:
    """Return what the found nodes say themselves; one that has nothing but a name is described by its edges, if it has
    any."""
    likeness = _likeness(caller, [hit.node.id for hit in hits], vector)
    described_by_edges = {identity for edge in edges for identity in (edge.source_id, edge.target_id)}
    return [
        AnswerSource(
            (build_citation(hit.node),), hit.node.type, _describe_node(hit.node), hit.score, likeness.get(hit.node.id)
        )
        for hit in hits
        if hit.node.body or hit.node.id not in described_by_edges
    ]


def _describe_edges(edges: Sequence[Edge], hits: Sequence[NodeHit]) -> list[AnswerSource]:
    """Return what the edges of the found nodes say; each is worth what the better one of its ends is."""
    scores = {hit.node.id: hit.score for hit in hits}
    return [
        AnswerSource(
            (build_citation(edge.source), build_citation(edge.target)),
            RELATION,
            edge_sentence(edge),
            max(scores.get(edge.source_id, 0.0), scores.get(edge.target_id, 0.0)),
        )
        for edge in edges
    ]


def build_citation(node: Node) -> Cited:
    """Return a node as answers cite it."""
    return Cited(node.id, node.type in GOVERNED_TYPES)


def _describe_node(node: Node) -> str:
    """Return a memory as it was remembered; another node with what its properties say: "Ada (person): role:
    engineer"."""
    body = node.body[:MAX_CHARACTERS_OF_SOURCE]
    if not node.name:
        return body
    return ": ".join(part for part in (f"{node.name} ({node.type})", "; ".join(body.splitlines())) if part)


def _likeness(caller: Caller, ids: Sequence[UUID], vector: QueryVector | None) -> dict[UUID, float]:
    """Return the cosine of each node with the question, for those that have a vector of the same model."""
    if vector is None:
        return {}
    dimensions = len(vector.values)
    distance = CosineDistance(Cast("vector", HalfVectorField(dimensions=dimensions)), list(vector.values))
    with workspace_scope(caller):
        mine: QuerySet[Any] = NodeEmbedding.objects.of(caller).filter(node_id__in=ids)
        identity = "node_id"
        if vector.is_of_workspace:
            mine, identity = WorkspaceEmbedding.objects.of(caller).filter(row_id__in=ids), "row_id"
        compared = mine.filter(model=vector.model, dimensions=dimensions).annotate(away=distance)
        return {one: 1.0 - away for one, away in compared.values_list(identity, "away")}
