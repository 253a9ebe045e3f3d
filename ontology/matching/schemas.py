"""What doors read and answer of pairs of nodes that may be one, and of merges, field by field."""

from __future__ import annotations

from typing import Annotated, Any, Self

from pydantic import Field

from core.http.field_types import Id, TextRules
from core.http.schemas import IdText, MomentText, RequestSchema, ResponseSchema
from ontology.models import Merge, MergeCandidate
from ontology.nodes_and_edges.schemas import NodeResponse
from ontology.nodes_and_edges.validation import MAX_PROPERTIES_CHARACTERS

MAX_TAKEN = 1_000
PropertyName = Annotated[str, TextRules(max_length=MAX_PROPERTIES_CHARACTERS, allow_blank=True, is_trimmed=False)]


class MergeInput(RequestSchema):
    """The body of `POST ontology/merge`."""

    keep: Annotated[Id, Field(description="The node that stays.", examples=["<node_id>"])]
    absorb: Annotated[Id, Field(description="The node that goes into it.", examples=["<other_id>"])]
    take: Annotated[
        list[PropertyName],
        Field(
            max_length=MAX_TAKEN,
            description="Properties that both have, of which the absorbed node's value is kept.",
            examples=[[]],
        ),
    ] = []


class CandidateResponse(ResponseSchema):
    """Two nodes that may be one, and why."""

    id: IdText
    nodes: list[NodeResponse]
    score: float
    reasons: Any
    kept_apart_at: MomentText | None
    kept_apart_by: str
    created_at: MomentText

    @classmethod
    def of(cls, found: MergeCandidate) -> Self:
        return cls(
            id=str(found.id),
            nodes=[NodeResponse.of(found.first), NodeResponse.of(found.second)],
            score=found.score,
            reasons=found.reasons,
            kept_apart_at=found.kept_apart_at,
            kept_apart_by=found.kept_apart_by,
            created_at=found.created_at,
        )


class MergeResponse(ResponseSchema):
    """A merge, and what it moved."""

    id: IdText
    kept: IdText
    absorbed: IdText
    moved_edges: int
    dropped_edges: int
    moved_references: int
    added_properties: list[str]
    replaced_properties: list[str]
    merged_by: str
    merged_at: MomentText
    undone_at: MomentText | None
    undone_by: str

    @classmethod
    def of(cls, found: Merge) -> Self:
        record = found.record
        return cls(
            id=str(found.id),
            kept=str(found.kept_id),
            absorbed=str(found.absorbed_id),
            moved_edges=len({*record["moved_out"], *record["moved_in"]}),
            dropped_edges=len(record["dropped"]),
            moved_references=record["references"],
            added_properties=sorted(record["added"]),
            replaced_properties=sorted(record.get("replaced", ())),
            merged_by=found.merged_by,
            merged_at=found.created_at,
            undone_at=found.undone_at,
            undone_by=found.undone_by,
        )
