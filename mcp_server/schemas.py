"""What tools take and answer beyond what REST has a schema for."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, WithJsonSchema

from conversations.messages.schemas import MessageResponse
from conversations.plans.schemas import IterationResponse
from core.http.field_types import Flag, TextRules, WholeRange
from core.http.schemas import NOT_GIVEN, ResponseSchema, Score, attribute
from telemetry.metrics.schemas import MetricResponse
from telemetry.patterns.schemas import PatternResponse
from telemetry.sequences.schemas import SequenceResponse
from workspaces.http.space_fields import Key, Name, SpaceFields

Limit = Annotated[int, WholeRange(1, 200), Field(description="The maximum number of results.")]
ConversationKey = Annotated[
    str,
    TextRules(max_length=200, is_line=True),
    Field(description="Your own key of the conversation, or its id; a new key begins one."),
]

# Every session of an agent reads these four once for each tool, so that bounds are left to the refusal.
_SHORT = WithJsonSchema({"type": "string"})


class SpaceArguments(SpaceFields):
    """Whose memory a call is about: the fields of REST, in fewer words."""

    user: Annotated[Key, _SHORT, Field(description="Whose memory: an end user's key.")] = NOT_GIVEN
    agent: Annotated[Key, _SHORT, Field(description="Or an agent's name.")] = NOT_GIVEN
    space: Annotated[Name, _SHORT, Field(description="Or a space, like project:apollo.")] = NOT_GIVEN
    shared: Annotated[Flag, Field(description="Read shared memory too.")] = True


class ToggleResponse(ResponseSchema):
    """Whether memory is on, and whether this call changed that."""

    enabled: bool
    changed: bool


class EndedConversationResponse(ResponseSchema):
    """A conversation that was ended; `extraction` is started, or says why not, and `detail` says the same in words."""

    conversation_id: str
    status: str
    extraction: str
    detail: str


class LastMessagesResponse(ResponseSchema):
    """The end of a conversation, oldest first."""

    results: list[MessageResponse]


class IterationsResponse(ResponseSchema):
    """The attempts at a task, newest first."""

    results: list[IterationResponse]


class TelemetryResponse(ResponseSchema):
    """What agents did and what keeps going wrong."""

    patterns: list[PatternResponse]
    sequences: list[SequenceResponse]


class SimilarSequenceResponse(ResponseSchema):
    """A sequence that was about something like the query."""

    sequence: SequenceResponse
    score: Score


class SimilarSequencesResponse(ResponseSchema):
    """Sequences, most similar first; `method` is how they were found."""

    results: list[SimilarSequenceResponse] = attribute("hits")
    method: str


class MetricsResponse(ResponseSchema):
    """The metrics of a workspace."""

    results: list[MetricResponse]
