"""What doors read and answer of nodes, edges and types, field by field."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field, ValidationInfo, field_validator

from core.http.field_types import (
    COMMA_SEPARATED,
    REPEATED,
    Id,
    JsonObject,
    Moment,
    QueryFlag,
    Text,
    TextRules,
    refuse,
)
from core.http.pagination import PageQuery
from core.http.schemas import (
    DETAIL,
    NOT_GIVEN,
    EditSchema,
    FilledId,
    IdText,
    MomentText,
    RequestSchema,
    ResponseSchema,
    attribute,
)
from ontology.models import GOVERNED_TYPES, Change
from ontology.nodes_and_edges.normalisation import MAX_NAME_CHARACTERS
from ontology.nodes_and_edges.validation import MAX_TYPE_CHARACTERS

MAX_DESCRIPTION_CHARACTERS = 500
# Lines are refused one by one, so that the ids in their example are not those of anything.
ABSENT_ID = "01a2009e-0000-7000-8000-000000000000"

EntityName = Literal["node", "edge"]
TypeName = Annotated[str, TextRules(max_length=MAX_TYPE_CHARACTERS, is_line=True)]
NodeName = Annotated[str, TextRules(max_length=MAX_NAME_CHARACTERS, is_line=True)]
NodeTypeName = Annotated[TypeName, Field(description="What it is, in a word.", examples=["person"])]
EdgeTypeName = Annotated[
    str,
    TextRules(max_length=MAX_TYPE_CHARACTERS, is_line=True, is_identifier=True),
    Field(description="How the source is related to the target.", examples=["knows"]),
]
NewProperties = Annotated[JsonObject, Field(description="What is known of it, by name.")]
ChangedProperties = Annotated[JsonObject, Field(description="Those to change, by name; null removes one.")]
ConnectionId = Annotated[Id, Field(description="The connection through which it comes.")]
Description = Annotated[
    str,
    TextRules(max_length=MAX_DESCRIPTION_CHARACTERS, allow_blank=True),
    Field(description="What has this type.", examples=["Somebody."]),
]


MAX_PROPERTY_FILTERS = 20


def _check_pairs(pairs: list[str]) -> list[str]:
    for name, colon, _ in (pair.partition(":") for pair in pairs):
        if not name or not colon:
            refuse("invalid_property", "Write it as name:value.")
    return pairs


class NodeLine(RequestSchema):
    """Each line of `POST ontology/nodes/bulk`."""

    type: NodeTypeName
    name: Annotated[NodeName, Field(examples=["Ada"])]
    properties: Annotated[NewProperties, Field(examples=[{"role": "engineer"}])] = {}
    connection: ConnectionId | None = None


class NodeInput(NodeLine):
    """The body of `POST ontology/nodes`."""

    connection: Annotated[ConnectionId | None, Field(examples=["<connection_id>"])] = None


class NodeEditInput(EditSchema):
    """The body of `PATCH ontology/nodes/{id}`: any of these. Of properties, those that are named; null removes one."""

    type: NodeTypeName = NOT_GIVEN
    name: Annotated[NodeName, Field(examples=["Ada"])] = NOT_GIVEN
    properties: Annotated[ChangedProperties, Field(examples=[{"role": None}])] = NOT_GIVEN


class EdgeLine(RequestSchema):
    """Each line of `POST ontology/edges/bulk`."""

    type: EdgeTypeName
    source: Annotated[Id, Field(examples=[ABSENT_ID])]
    target: Annotated[Id, Field(examples=[ABSENT_ID])]
    properties: Annotated[NewProperties, Field(examples=[{}])] = {}
    connection: ConnectionId | None = None


class EdgeInput(EdgeLine):
    """The body of `POST ontology/edges`."""

    source: Annotated[Id, Field(examples=["<node_id>"])]
    target: Annotated[Id, Field(examples=["<node_id>"])]
    properties: Annotated[NewProperties, Field(examples=[{"since": 2020}])] = {}
    connection: Annotated[ConnectionId | None, Field(examples=["<connection_id>"])] = None


class EdgeEditInput(EditSchema):
    """The body of `PATCH ontology/edges/{id}`: any of these. Of properties, those that are named; null removes one."""

    type: EdgeTypeName = NOT_GIVEN
    properties: Annotated[ChangedProperties, Field(examples=[{"since": None}])] = NOT_GIVEN


class TypeInput(RequestSchema):
    """The body of `POST ontology/types`."""

    entity: Annotated[EntityName, Field(examples=["node"])]
    name: Annotated[TypeName, Field(examples=["person"])]
    description: Description = ""


class TypeEditInput(RequestSchema):
    """The body of `PATCH ontology/types/{id}`."""

    description: Description


class ObjectsQuery(PageQuery):
    """What lists of nodes and of edges can be narrowed to."""

    type: Annotated[list[TypeName], COMMA_SEPARATED] = []
    connection: Id = NOT_GIVEN
    property: Annotated[
        list[Text],
        REPEATED,
        AfterValidator(_check_pairs),
        Field(
            max_length=MAX_PROPERTY_FILTERS,
            description="`name:value`; a value that reads as JSON is taken as such, or as text.",
        ),
    ] = []
    created_after: Moment = NOT_GIVEN
    created_before: Moment = NOT_GIVEN
    include_deleted: QueryFlag = False

    def filter_values(self) -> dict[str, Any]:
        """Return what the list is narrowed to, by the names of the filter."""
        values = super().filter_values()
        if "type" in values:
            values["types"] = values.pop("type")
        if "property" in values:
            pairs = [pair.partition(":") for pair in values.pop("property")]
            values["properties"] = [(name, value) for name, _, value in pairs]
        return values


class NodesQuery(ObjectsQuery):
    """The query string of `GET ontology/nodes`; `name` is the whole name, `q` a part of it."""

    name: NodeName = NOT_GIVEN
    q: Annotated[str, TextRules(max_length=MAX_NAME_CHARACTERS)] = NOT_GIVEN


class EdgesQuery(ObjectsQuery):
    """The query string of `GET ontology/edges`; `node` is either end."""

    source: Id = NOT_GIVEN
    target: Id = NOT_GIVEN
    node: Id = NOT_GIVEN


class NodeResponse(ResponseSchema):
    """A node; `content` is the text of one that stands for a memory, and null otherwise."""

    id: IdText
    type: str
    name: str
    content: str | None = attribute("body")
    properties: dict[str, Any]
    importance_score: float
    reference_count: int
    independent_references: int
    last_referenced_at: Annotated[MomentText | None, DETAIL]
    connection: Annotated[FilledId, DETAIL] = attribute("connection_id")
    provenance: Annotated[dict[str, Any], DETAIL]
    is_deleted: bool
    deleted_at: Annotated[MomentText | None, DETAIL]
    created_at: MomentText
    updated_at: MomentText

    @field_validator("content")
    @classmethod
    def _is_of_a_memory(cls, content: str | None, info: ValidationInfo) -> str | None:
        return content if info.data.get("type") in GOVERNED_TYPES else None


class EdgeResponse(ResponseSchema):
    """An edge, from `source` to `target`."""

    id: IdText
    type: str
    source: IdText = attribute("source_id")
    target: IdText = attribute("target_id")
    properties: Annotated[dict[str, Any], DETAIL]
    connection: Annotated[FilledId, DETAIL] = attribute("connection_id")
    provenance: Annotated[dict[str, Any], DETAIL]
    is_deleted: Annotated[bool, DETAIL]
    deleted_at: Annotated[MomentText | None, DETAIL]
    created_at: Annotated[MomentText, DETAIL]
    updated_at: Annotated[MomentText, DETAIL]


class TypeResponse(ResponseSchema):
    """A type of the catalogue; `count` is how many live nodes (visible edges) have it."""

    id: IdText = attribute("entry", "id")
    entity: EntityName
    name: str = attribute("entry", "name")
    description: str = attribute("entry", "description")
    count: int
    is_deleted: bool = attribute("entry", "is_deleted")
    created_at: MomentText = attribute("entry", "created_at")


class ActorResponse(ResponseSchema):
    """Who did something."""

    kind: str = attribute("actor_kind")
    id: str = attribute("actor_id")
    label: str = attribute("actor_label")


class ChangeResponse(ResponseSchema):
    """One step in the history of a node; `before` holds what it replaced."""

    id: IdText
    action: str
    actor: ActorResponse
    before: dict[str, Any]
    created_at: MomentText

    @classmethod
    def of(cls, found: Change) -> Self:
        return cls(
            id=str(found.id),
            action=found.action,
            actor=ActorResponse.of(found),
            before=found.before,
            created_at=found.created_at,
        )
