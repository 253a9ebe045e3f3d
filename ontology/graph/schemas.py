"""What doors read and answer of what lies between nodes, field by field."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Literal, Self

from pydantic import Field

from core.http.field_types import Id, QueryNumber, WholeRange
from core.http.schemas import QuerySchema, RequestSchema, ResponseSchema, attribute
from ontology.graph.services.traversal import Neighbourhood, Path
from ontology.nodes_and_edges.schemas import EdgeResponse, NodeResponse

DirectionName = Literal["both", "out", "in"]
Depth = Annotated[int, QueryNumber(1, 6), Field(description="How many edges away.")]
MostNodes = Annotated[int, QueryNumber(1, 1_000), Field(description="The maximum number of nodes.")]


class NeighboursQuery(QuerySchema):
    """The query string of `GET ontology/nodes/{id}/neighbours`."""

    depth: Depth = 1
    direction: DirectionName = "both"
    limit: MostNodes = 200


class ImpactQuery(NeighboursQuery):
    """The query string of `GET ontology/nodes/{id}/impact`."""

    depth: Depth = 3
    direction: DirectionName = "in"
    limit: MostNodes = 1_000


class PathInput(RequestSchema):
    """The body of `POST ontology/path`."""

    from_: Annotated[Id, Field(alias="from", examples=["<node_id>"])]
    to: Annotated[Id, Field(examples=["<node_id>"])]
    max_depth: Annotated[int, WholeRange(1, 8), Field(description="The maximum number of edges.", examples=[2])] = 4


class NeighbourResponse(ResponseSchema):
    """A node, and how many edges away it is."""

    node: NodeResponse
    distance: int


class NeighbourhoodResponse(ResponseSchema):
    """The nodes around a node, nearest first, and the edges among all of them."""

    node: NodeResponse = attribute("start")
    results: list[NeighbourResponse] = attribute("nodes")
    edges: list[EdgeResponse]
    is_truncated: bool
    method: str
    latency_ms: float


class AtDistanceResponse(ResponseSchema):
    """How many nodes are so far away."""

    distance: int
    count: int


class OfTypeResponse(ResponseSchema):
    """How many nodes are of a type."""

    type: str
    count: int


class ImpactResponse(NeighbourhoodResponse):
    """A neighbourhood with how much of it lies how far, and of which types it is."""

    total: int
    by_distance: list[AtDistanceResponse]
    by_type: list[OfTypeResponse]

    @classmethod
    def of(cls, found: Neighbourhood) -> Self:
        distances = Counter(near.distance for near in found.nodes)
        types = Counter(near.node.type for near in found.nodes)
        return cls(
            **dict(NeighbourhoodResponse.of(found)),
            total=len(found.nodes),
            by_distance=[AtDistanceResponse(distance=one, count=count) for one, count in sorted(distances.items())],
            by_type=[OfTypeResponse(type=one, count=count) for one, count in types.most_common()],
        )


class WayResponse(ResponseSchema):
    """The nodes of a path from its start to its end, and the edges between them."""

    nodes: list[NodeResponse]
    edges: list[EdgeResponse]
    length: int


class PathResponse(ResponseSchema):
    """A shortest path; `path` is null where there is none within the bound."""

    path: WayResponse | None
    is_truncated: bool
    method: str
    latency_ms: float

    @classmethod
    def of(cls, found: Path) -> Self:
        return cls(
            path=WayResponse.of(found) if found.nodes else None,
            is_truncated=found.is_truncated,
            method=found.method,
            latency_ms=found.latency_ms,
        )
