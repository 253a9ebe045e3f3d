"""Tools for the ontology: find nodes, go along edges, ask, and learn from a text."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from pydantic import Field

from mcp_server.arguments import Line, Mode, Query, Spoken
from mcp_server.registry import reads, writes
from ontology.answers.schemas import AnswerResponse, UpdateResponse
from ontology.answers.services.question_answering import ask_ontology
from ontology.answers.services.text_ingest import PromptIntent, run_prompt
from ontology.graph.schemas import NeighbourhoodResponse
from ontology.graph.services.traversal import neighbours as find_neighbours
from ontology.nodes_and_edges.selectors import NodeFilter
from ontology.search.schemas import NodeSearchResponse
from ontology.search.services.node_search import search_ontology
from workspaces.access.callers import Caller

Found = Annotated[int, Field(ge=1, le=200, description="The maximum number of nodes.")]
Types = Annotated[list[Annotated[Line, Field(max_length=64)]], Field(max_length=20, description="Only these types.")]
NodeId = Annotated[UUID, Field(description="The id of a node, as ontology_search answers it.")]
Depth = Annotated[int, Field(ge=1, le=4, description="How many edges away.")]
Sources = Annotated[int, Field(ge=1, le=50, description="The maximum number of sources.")]
Learnable = Annotated[Spoken, Field(max_length=20_000, description="Plain text; it is not kept, what it says is.")]


@reads("ontology.search", "Search the ontology")
def search(
    caller: Caller,
    *,
    query: Query,
    top_k: Found = 10,
    mode: Mode = "hybrid",
    types: Types = [],  # noqa: B006  # read, never changed; the schema shows it as the default
) -> NodeSearchResponse:
    """Find people, places, things and memories by words and by meaning, weighed by importance and recency. Use it to
    get the id of something before you go along its edges or report an action on it."""
    found = search_ontology(caller=caller, query=query, mode=mode, top_k=top_k, narrow=NodeFilter(types=types))
    return NodeSearchResponse.of(found)


@reads("ontology.neighbours", "Go along edges")
def neighbours(caller: Caller, *, node_id: NodeId, depth: Depth = 1) -> NeighbourhoodResponse:
    """What is connected with a node, by which edges, and how far away."""
    found = find_neighbours(caller=caller, node_id=node_id, depth=depth)
    return NeighbourhoodResponse.of(found)


@writes("ontology.ask", "Ask the ontology")
def ask(caller: Caller, *, question: Query, top_k: Sources = 12) -> AnswerResponse:
    """Answer a question from what the workspace knows, each claim with the node that it rests on. Says so when nothing
    is found. The nodes that it cites gain importance."""
    answer = ask_ontology(caller=caller, question=question, top_k=top_k)
    return AnswerResponse.of(answer)


@writes("ontology.learn", "Learn from a text", is_idempotent=True)
def learn(caller: Caller, *, text: Learnable) -> UpdateResponse:
    """Extract people, places, things and how they hang together from a text, and add what is not known yet."""
    prompted = run_prompt(caller=caller, text=text, intent=PromptIntent.UPDATE)
    return UpdateResponse.of(prompted.update)
