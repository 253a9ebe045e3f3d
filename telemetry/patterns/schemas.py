"""What doors read and answer of patterns and warnings, field by field."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from core.http.field_types import Flag, QueryFlag, TextRules
from core.http.pagination import PageQuery
from core.http.schemas import (
    DETAIL,
    NOT_GIVEN,
    FilledText,
    IdText,
    MomentText,
    RequestSchema,
    ResponseSchema,
    Weight,
    attribute,
)
from telemetry.actions.schemas import NO_PROSE_IN_NAME, AnyShortName, NodeIds, NodeTypeLine, ShortName

StatusName = Literal["promoted", "retired"]


class PatternsQuery(PageQuery):
    """The query string of `GET patterns`."""

    status: StatusName = NOT_GIVEN
    suppressed: QueryFlag = None
    action_type: ShortName = NOT_GIVEN
    node_type: NodeTypeLine = NOT_GIVEN
    error_code: ShortName = NOT_GIVEN


class AnnotationInput(RequestSchema):
    """The body of `POST patterns/{id}/annotate`: a note, whether agents are warned, or both."""

    json_rules = {"minProperties": 1}

    annotation: Annotated[
        str,
        TextRules(max_length=2_000, allow_blank=True),
        Field(description="What agents should know about it; an empty text takes it away.", examples=["Ask first."]),
    ] = NOT_GIVEN
    suppressed: Annotated[Flag, Field(description="Whether it is kept from agents.", examples=[False])] = NOT_GIVEN


class InjectionInput(RequestSchema):
    """The body of `POST patterns/inject`; `session` is the one under which the agent reports its actions."""

    node_ids: NodeIds
    action_type: Annotated[AnyShortName, Field(examples=["tool_call"])] = ""
    session: Annotated[
        str,
        TextRules(max_length=200, is_line=True, is_identifier=True, allow_blank=True),
        NO_PROSE_IN_NAME,
        Field(examples=["s-1"]),
    ] = ""


class SuppressionInput(RequestSchema):
    """The body of `POST patterns/suppress` and `POST patterns/unsuppress`: how the keys of the patterns begin."""

    key_prefix: Annotated[str, TextRules(max_length=200, is_line=True), Field(examples=["tool_call/"])]


class EffectResponse(ResponseSchema):
    """How often the error came after a warning and without one; `difference` is null until both sides have cases."""

    shown: int
    shown_failed: int
    held_out: int
    held_out_failed: int
    difference: Weight | None
    margin: Weight | None


class PatternResponse(ResponseSchema):
    """Something that keeps going wrong, what helps, and what its warnings changed."""

    id: IdText
    key: str
    action_type: Annotated[str, DETAIL]
    node_type: Annotated[FilledText, DETAIL]
    error_code: Annotated[str, DETAIL]
    status: StatusName
    confidence: Weight
    support: int
    attempts: Annotated[int, DETAIL]
    recommendation: str
    recommended_by: Annotated[Literal["rule", "model"], DETAIL]
    annotation: FilledText
    annotated_by: Annotated[FilledText, DETAIL]
    suppressed: bool = attribute("is_suppressed")
    suppressed_at: Annotated[MomentText | None, DETAIL]
    suppressed_by: Annotated[FilledText, DETAIL]
    effect: Annotated[EffectResponse, DETAIL] = attribute("warnings")
    promoted_at: Annotated[MomentText, DETAIL]
    retired_at: Annotated[MomentText | None, DETAIL]
    created_at: Annotated[MomentText, DETAIL]


class EvaluatedResponse(ResponseSchema):
    """What a look for patterns changed: those that were promoted or retired, and how many rows in all."""

    promoted: list[IdText]
    retired: list[IdText]
    changed: int


class ChangedPatternsResponse(ResponseSchema):
    """The patterns that a call changed."""

    changed: list[PatternResponse]


class InjectedResponse(ResponseSchema):
    """The warnings that an agent gets before it acts: nothing where nothing is known, and where they are held out."""

    text: str
    tokens: int
    held_out: bool = attribute("is_held_out")
    patterns: list[PatternResponse]
