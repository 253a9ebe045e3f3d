"""What doors read and answer of connections, field by field."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import Field

from core.http.field_types import TextRules
from core.http.schemas import IdText, MomentText, RequestSchema, ResponseSchema
from ontology.models import Connection


class ConnectionInput(RequestSchema):
    """The body of `POST ontology/connections`."""

    name: Annotated[str, TextRules(max_length=200, is_line=True), Field(examples=["another"])]
    kind: Annotated[
        str,
        TextRules(max_length=64, is_line=True, allow_blank=True),
        Field(description="What sort of source it is.", examples=["crm"]),
    ] = ""


class RemovalResponse(ResponseSchema):
    """How far the removal of a deleted connection's slice is."""

    is_complete: bool
    nodes: int
    edges: int
    vectors: int
    total: int
    completed_at: MomentText | None

    @classmethod
    def of(cls, found: Connection) -> Self:
        return cls(
            is_complete=found.removed_at is not None,
            nodes=found.removed_nodes,
            edges=found.removed_edges,
            vectors=found.removed_vectors,
            total=found.to_remove,
            completed_at=found.removed_at,
        )


class ConnectionResponse(ResponseSchema):
    """A connection; `removal` is null unless it is deleted."""

    id: IdText
    name: str
    kind: str
    is_deleted: bool
    deleted_at: MomentText | None
    created_at: MomentText
    removal: RemovalResponse | None

    @classmethod
    def of(cls, found: Connection) -> Self:
        return cls(
            id=str(found.id),
            name=found.name,
            kind=found.kind,
            is_deleted=found.is_deleted,
            deleted_at=found.deleted_at,
            created_at=found.created_at,
            removal=RemovalResponse.of(found) if found.is_deleted else None,
        )
