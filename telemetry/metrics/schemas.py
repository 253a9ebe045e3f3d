"""What doors read and answer of metrics and benchmarks, field by field."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from typing import Annotated, Any, Literal, Self

from pydantic import Field, WithJsonSchema

from core.http.field_types import Flag, TextRules, WholeRange
from core.http.schemas import (
    DETAIL,
    NOT_GIVEN,
    FilledText,
    IdText,
    MomentText,
    RequestSchema,
    ResponseSchema,
    attribute,
)
from telemetry.metrics.aggregation import Aggregation, Measure
from telemetry.metrics.services.measurement import Point
from telemetry.metrics.services.metrics import NewMetric

Name = Annotated[str, TextRules(max_length=80, is_line=True), Field(description="A name of its own in this workspace.")]
AggregationName = Annotated[Literal["rate", "average", "p95"], Field(examples=["rate"])]
MeasureName = Annotated[
    Literal["duration_ms", "action_count"],
    Field(description="What an average or a percentile is taken of.", examples=["duration_ms"]),
]
WindowDays = Annotated[
    int, WholeRange(1, 365), Field(description="The days that each value looks back over.", examples=[7])
]
# A count stays a whole number.
MeasuredValue = Annotated[int | float | None, WithJsonSchema({"anyOf": [{"type": "number"}, {"type": "null"}]})]


class MetricFields(RequestSchema):
    """What can be said of a metric when it is made and when it is changed."""

    name: Name
    description: Annotated[
        str,
        TextRules(max_length=300, is_line=True, allow_blank=True),
        Field(examples=["Short sequences that end well."]),
    ] = ""
    event_filter: Annotated[
        str,
        TextRules(max_length=1_000, is_line=True, allow_blank=True),
        Field(
            description="Which sequences are measured, such as action_type = 'tool_call'.",
            examples=["action_type = 'tool_call'"],
        ),
    ] = ""
    success_condition: Annotated[
        str,
        TextRules(max_length=1_000, is_line=True, allow_blank=True),
        Field(
            description="What counts as well, such as outcome = 'success' and action_count < 10.",
            examples=["outcome = 'success' and action_count < 10"],
        ),
    ] = ""
    aggregation: AggregationName
    measure: MeasureName = NOT_GIVEN
    window_days: WindowDays = NOT_GIVEN
    back_fill: Annotated[Flag, Field(description="Whether the past is measured as well.", examples=[True])] = False


class MetricInput(MetricFields):
    """The body of `POST metrics`; with `dry_run` nothing is stored, and what it would have said is answered."""

    name: Annotated[Name, Field(examples=["quick"])]
    measure: MeasureName = "duration_ms"
    window_days: WindowDays = 7
    dry_run: Annotated[Flag, Field(examples=[False])] = False

    def metric(self) -> NewMetric:
        """Return the metric as the service takes it."""
        return NewMetric(
            name=self.name,
            aggregation=Aggregation(self.aggregation),
            event_filter=self.event_filter,
            success_condition=self.success_condition,
            measure=Measure(self.measure),
            window_days=self.window_days,
            description=self.description,
        )


class MetricChangeInput(MetricFields):
    """The body of `PATCH metrics/{id}`: what changes, and whether the past is measured (again)."""

    name: Annotated[Name, Field(examples=["quicker"])] = NOT_GIVEN
    aggregation: AggregationName = NOT_GIVEN

    def changes(self) -> dict[str, Any]:
        """Return what changes of the metric itself."""
        return {name: value for name, value in self.given().items() if name != "back_fill"}


class MetricResponse(ResponseSchema):
    """Something that is measured every night over the sequences of a workspace."""

    id: IdText
    name: str
    description: FilledText
    builtin: bool = attribute("is_builtin")
    event_filter: str
    success_condition: str
    aggregation: str
    measure: str
    window_days: int
    created_at: Annotated[MomentText, DETAIL]
    updated_at: Annotated[MomentText, DETAIL]


class PointResponse(ResponseSchema):
    """The value of a metric on a day, and the number of sequences; null where nothing could be measured."""

    date: datetime.date
    value: MeasuredValue
    sequences: int


class PointsResponse(ResponseSchema):
    """What a metric would have said of the last days."""

    points: list[PointResponse]

    @classmethod
    def of_points(cls, points: Iterable[Point]) -> Self:
        """Return the points of a metric that is not stored."""
        return cls(
            points=[PointResponse(date=point.day, value=point.value, sequences=point.sequences) for point in points]
        )


class BenchmarkResponse(ResponseSchema):
    """The values of a metric, oldest first, and where the last ones are heading."""

    metric: str = attribute("metric", "name")
    points: list[PointResponse]
    latest: float | None = attribute("latest_value")
    trend: Literal["up", "down", "flat"] | None
