"""Tools for the ontology: find nodes, go along edges, ask, and learn from a text."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from core.action_types import NODE_SEARCH, NODES, TRAVERSAL
from core.http.field_types import Id, WholeRange
from mcp_server.arguments import pick
from mcp_server.registry import reads, writes
from ontology.answers.schemas import AnswerResponse, MostSources, PromptText, UpdateResponse
from ontology.answers.services.question_answering import ask_ontology
from ontology.answers.services.text_ingest import PromptIntent, run_prompt
from ontology.graph.schemas import NeighbourhoodResponse
from ontology.graph.services.traversal import neighbours as find_neighbours
from ontology.nodes_and_edges.selectors import NodeFilter
from ontology.search.schemas import NodeSearchInput, NodeSearchResponse, Question, Types
from ontology.search.services.node_search import search_ontology
from workspaces.access.callers import Caller

NodeId = Annotated[Id, Field(description="The id of a node, as ontology_search answers it.")]
# REST goes further; what an agent gets has to fit in its context.
Depth = Annotated[int, WholeRange(1, 4), Field(description="How many edges away.")]


@reads("ontology.search", "Search the ontology", action=NODE_SEARCH)
def search(
    caller: Caller,
    *,
    body: Annotated[NodeSearchInput, pick("query", "top_k", "mode")],
    types: Types = [],  # noqa: B006  # read, never changed; the schema shows it as the default
) -> NodeSearchResponse:
    """Find people, places, things and memories by words and by meaning, weighed by importance and recency. Use it to
    get the id of something before you go along its edges or report an action on it."""
    narrow = NodeFilter(types=types)
    found = search_ontology(caller=caller, query=body.query, mode=body.mode, top_k=body.top_k, narrow=narrow)
    return NodeSearchResponse.of(found)


@reads("ontology.neighbours", "Go along edges", action=TRAVERSAL)
def neighbours(caller: Caller, *, node_id: NodeId, depth: Depth = 1) -> NeighbourhoodResponse:
    """What is connected with a node, by which edges, and how far away."""
    found = find_neighbours(caller=caller, node_id=node_id, depth=depth)
    return NeighbourhoodResponse.of(found)


@writes("ontology.ask", "Ask the ontology", action=NODE_SEARCH)
def ask(caller: Caller, *, question: Question, top_k: MostSources = 12) -> AnswerResponse:
    """Answer a question from what the workspace knows, each claim with the node that it rests on. Says so when nothing
    is found. The nodes that it cites gain importance."""
    answer = ask_ontology(caller=caller, question=question, top_k=top_k)
    return AnswerResponse.of(answer)


@writes("ontology.learn", "Learn from a text", is_idempotent=True, action=NODES)
def learn(caller: Caller, *, text: PromptText) -> UpdateResponse:
    """Extract people, places, things and how they hang together from a text, and add what is not known yet."""
    prompted = run_prompt(caller=caller, text=text, intent=PromptIntent.UPDATE)
    return UpdateResponse.of(prompted.update)
