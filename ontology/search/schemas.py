"""What doors read and answer of searches over nodes, field by field."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from core.http.field_types import Id, JsonObject, Moment, TextRules, WholeRange
from core.http.schemas import (
    DETAIL,
    NOT_GIVEN,
    Confidence,
    PlaceResponse,
    RequestSchema,
    ResponseSchema,
    Score,
    SearchResponse,
    attribute,
)
from ontology.nodes_and_edges.schemas import NodeResponse, TypeName
from ontology.nodes_and_edges.selectors import NodeFilter

MAX_QUERY_CHARACTERS = 4_000
MAX_TYPES = 50

NodeSearchMode = Literal["hybrid", "keyword", "semantic"]
Question = Annotated[
    str,
    TextRules(max_length=MAX_QUERY_CHARACTERS, is_spoken=True),
    Field(description="A question or keywords, in plain words."),
]
Types = Annotated[list[TypeName], Field(max_length=MAX_TYPES, description="Only these types.")]


class NodeFilters(RequestSchema):
    """The filters of a search and of a question; `properties` are all of them."""

    types: Types = []
    connection: Id = NOT_GIVEN
    properties: Annotated[JsonObject, Field(description="What a node must all have.")] = {}
    created_after: Moment | None = None
    created_before: Moment | None = None
    as_of: Annotated[Moment | None, Field(description="What was known then.")] = None

    def narrowed(self) -> NodeFilter:
        """Return what the search is narrowed to, but for `as_of`."""
        return NodeFilter(
            types=self.types,
            connection=self.connection,
            holding=self.properties,
            created_after=self.created_after,
            created_before=self.created_before,
        )


class NodeSearchInput(RequestSchema):
    """The body of `POST ontology/search`."""

    query: Annotated[Question, Field(examples=["tea"])]
    top_k: Annotated[int, WholeRange(1, 200), Field(description="The maximum number of nodes.", examples=[5])] = 10
    mode: Annotated[NodeSearchMode, Field(description="How to search; hybrid is best.", examples=["keyword"])] = (
        "hybrid"
    )
    filters: Annotated[
        NodeFilters,
        Field(
            examples=[
                {
                    "types": ["memory"],
                    "connection": "<connection_id>",
                    "properties": {"size": 3},
                    "created_after": "2020-01-01T00:00:00Z",
                    "created_before": "2030-01-01T00:00:00Z",
                    "as_of": "2030-01-01T00:00:00Z",
                }
            ]
        ),
    ] = Field(default_factory=NodeFilters)


class NodeHitResponse(ResponseSchema):
    """A node that a search found; `score` is `relevance` times a factor of `importance` and `recency`."""

    node: NodeResponse
    score: Score
    confidence: Confidence = attribute("found", "confidence")
    arms: dict[str, PlaceResponse] = attribute("found", "places")
    relevance: Annotated[Score, DETAIL] = attribute("found", "score")
    importance: Score = attribute("standing", "importance")
    recency: Score = attribute("standing", "recency")


class NodeSearchResponse(SearchResponse[NodeHitResponse]):
    """Hits, best first."""
