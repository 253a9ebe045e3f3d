"""What doors read and answer of imports, field by field."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import Field

from conversations.messages import conversation_keys
from conversations.messages.schemas import MessageInput, SpokenAt
from core.http.field_types import QueryFlag, Share, SpokenText, TextRules
from core.http.schemas import NOT_GIVEN, IdText, MomentText, QuerySchema, RequestSchema, ResponseSchema
from memory.memories.schemas import Tags
from ontology.nodes_and_edges.schemas import EdgeTypeName, NewProperties, NodeName, NodeTypeName
from transfer.models import Import, ImportStatus

MAX_KEY_CHARACTERS = 200
ItemKey = Annotated[str, TextRules(max_length=MAX_KEY_CHARACTERS, is_line=True)]
NodeKey = Annotated[str, TextRules(max_length=MAX_KEY_CHARACTERS, is_line=True, is_identifier=True)]


class ImportedMessageInput(MessageInput):
    """One message out of another product's export."""

    item: Annotated[Literal["message"], Field(examples=["message"])]
    key: Annotated[ItemKey, Field(examples=["1"])]
    conversation: Annotated[
        str, TextRules(max_length=conversation_keys.MAX_CHARACTERS, is_line=True), Field(examples=["chatgpt/1"])
    ]
    title: Annotated[str, TextRules(max_length=200, is_spoken=True, allow_blank=True), Field(examples=["Tea"])] = ""


class ImportedMemoryInput(RequestSchema):
    """One memory out of another product's export."""

    item: Annotated[Literal["memory"], Field(examples=["memory"])]
    content: Annotated[SpokenText, Field(examples=["Tea is ordered daily."])]
    tags: Tags = []
    importance: Annotated[Share, Field(examples=[0.5])] = NOT_GIVEN
    confidence: Annotated[Share, Field(examples=[0.9])] = NOT_GIVEN
    created_at: Annotated[SpokenAt, Field(examples=["2026-01-01T00:00:00Z"])] = NOT_GIVEN
    updated_at: Annotated[SpokenAt, Field(examples=["2026-01-01T00:00:00Z"])] = NOT_GIVEN
    valid_from: Annotated[SpokenAt, Field(examples=["2026-01-01T00:00:00Z"])] = NOT_GIVEN
    valid_to: Annotated[SpokenAt, Field(examples=["2030-01-01T00:00:00Z"])] = NOT_GIVEN
    expires_at: Annotated[SpokenAt, Field(examples=["2030-01-01T00:00:00Z"])] = NOT_GIVEN


class ImportedNodeInput(RequestSchema):
    """One thing out of another product's graph; `key` is its name there, by which its edges find it."""

    item: Annotated[Literal["node"], Field(examples=["node"])]
    key: Annotated[NodeKey, Field(examples=["ada"])]
    type: NodeTypeName
    name: Annotated[NodeName, Field(examples=["Ada"])]
    properties: Annotated[NewProperties, Field(examples=[{"role": "engineer"}])] = {}


class ImportedEdgeInput(RequestSchema):
    """One relation out of another product's graph, between things that came in with these keys."""

    item: Annotated[Literal["edge"], Field(examples=["edge"])]
    type: EdgeTypeName
    source: Annotated[NodeKey, Field(examples=["ada"])]
    target: Annotated[NodeKey, Field(examples=["acme"])]
    properties: Annotated[NewProperties, Field(examples=[{}])] = {}


class ItemsQuery(QuerySchema):
    """The query string of `POST import/items`; a dry run keeps nothing."""

    dry_run: QueryFlag = False


class ImportResponse(ResponseSchema):
    """An import; `received` and `progress` belong to one that is not over, `report` and `error` to one that is."""

    id: IdText
    status: Literal["open", "queued", "done", "refused"]
    author: str
    created_at: MomentText
    finished_at: MomentText | None
    received: dict[str, int] | None
    progress: dict[str, int] | None
    report: dict[str, Any] | None
    error: dict[str, Any] | None

    @classmethod
    def of(cls, found: Import, *, received: dict[str, int] | None = None, done: int | None = None) -> Self:
        """Return an import; `received` is how much was sent of it, `done` how much of that was brought in."""
        is_waiting = found.status in {ImportStatus.OPEN, ImportStatus.QUEUED}
        return cls.model_validate(
            {
                "id": found.id,
                "status": found.status,
                "author": found.author,
                "created_at": found.created_at,
                "finished_at": found.finished_at,
                "received": received if is_waiting else None,
                "progress": {"done": done} if is_waiting and done is not None else None,
                "report": found.report or None,
                "error": found.error or None,
            }
        )
