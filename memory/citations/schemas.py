"""What doors read and answer of runs and what they cited, field by field."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from core.http.field_types import TextRules
from core.http.schemas import DETAIL, FilledText, IdText, MomentText, RequestSchema, ResponseSchema, attribute

# Twenty times what an answer usually has; a citation behind it would be cut off, so it is refused instead.
MAX_OUTPUT_CHARACTERS = 1_000_000

FinalStatus = Annotated[Literal["succeeded", "failed", "cancelled"], Field(examples=["succeeded"])]
Output = Annotated[
    str,
    TextRules(max_length=MAX_OUTPUT_CHARACTERS, is_spoken=True, is_trimmed=False, allow_blank=True),
    Field(description="The final answer with its `[mem:<id>]` citations.", examples=["Done."]),
]


class RunInput(RequestSchema):
    """The body of `POST runs`."""

    agent: Annotated[
        str,
        TextRules(max_length=120, is_line=True),
        Field(description="The name of the agent that does the work.", examples=["clerk"]),
    ]
    conversation: Annotated[
        str,
        TextRules(max_length=200, is_line=True, allow_blank=True),
        Field(description="The key or id of the conversation that it belongs to.", examples=["c-1"]),
    ] = ""


class FinishInput(RequestSchema):
    """The body of `POST runs/{id}/finish`."""

    status: FinalStatus
    output: Output = ""


class RunResponse(ResponseSchema):
    """One piece of work of an agent."""

    id: IdText
    agent: str
    conversation: FilledText
    status: Literal["running", "succeeded", "failed", "cancelled"]
    started_at: MomentText
    finished_at: MomentText | None


class MemoryCitationResponse(ResponseSchema):
    """A run that cited a memory."""

    run: RunResponse
    counted: bool = attribute("is_counted")
    at: MomentText = attribute("created_at")


class CountedMemoryResponse(ResponseSchema):
    """A memory that a run cited; `counted` says whether this very call raised its counter."""

    memory_id: IdText
    counted: bool = attribute("is_counted")


class CountedNodeResponse(ResponseSchema):
    """Any other node that a run cited."""

    node_id: IdText
    counted: bool = attribute("is_counted")


Malformed = Annotated[
    list[str],
    Field(description="Marks that name something else than an id, shortened; at most 20.", examples=[["[mem:3]"]]),
]
OverLimit = Annotated[
    int, Field(description="Distinct ids beyond the first 1,000 of the output; they are not counted.", examples=[0])
]


class FinishedResponse(ResponseSchema):
    """A run in its terminal state, what it cited, and ids that are none of this workspace."""

    run: RunResponse
    citations: list[CountedMemoryResponse]
    nodes: Annotated[list[CountedNodeResponse], DETAIL]
    unresolved: list[IdText]
    malformed: Malformed
    over_limit: OverLimit
