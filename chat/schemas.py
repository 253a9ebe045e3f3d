"""What the chat's doors read and answer, field by field."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from chat.services.turns import MAX_CHARACTERS
from conversations.messages.schemas import MessageResponse
from core.http.field_types import Flag, TextRules
from core.http.schemas import NOT_GIVEN, FilledId, FilledText, IdText, RequestSchema, ResponseSchema, attribute
from memory.citations.schemas import CountedMemoryResponse, CountedNodeResponse, RunResponse
from memory.recall.schemas import LayerResponse, TokenBudget


class ChatInput(RequestSchema):
    """The body of `POST chat`."""

    conversation: Annotated[
        str,
        TextRules(max_length=200, is_line=True),
        Field(description="A key or id; a new key begins a conversation.", examples=["c-1"]),
    ]
    message: Annotated[
        str,
        TextRules(max_length=MAX_CHARACTERS, is_spoken=True),
        Field(description="What is asked or said.", examples=["When is tea ordered?"]),
    ]
    stream: Annotated[
        Flag, Field(description="Whether the answer comes piece by piece, as server-sent events.", examples=[False])
    ] = False
    token_budget: TokenBudget = NOT_GIVEN


class TurnResponse(ResponseSchema):
    """A turn that is over: the stored answer, what it cited, and how it came about."""

    message: MessageResponse
    run: RunResponse = attribute("finished", "run")
    citations: list[CountedMemoryResponse] = attribute("finished", "citations")
    nodes: list[CountedNodeResponse] = attribute("finished", "nodes")
    unresolved: list[IdText] = attribute("finished", "unresolved")
    malformed: list[str] = attribute("finished", "malformed")
    over_limit: int = attribute("finished", "over_limit")
    model: FilledText
    fallback: Annotated[
        FilledText,
        Field(description="The code of the model's error in whose place the answer is quoted; null otherwise."),
    ]
    left_out: list[str] = attribute("context", "left_out")
    receipt_id: FilledId = attribute("context", "receipt_id")
    trace: list[LayerResponse] = attribute("context", "trace")
    latency_ms: float = attribute("milliseconds")


class RecalledResponse(ResponseSchema):
    """What the layers gave, before the answer begins: the data of the event `trace`."""

    layers: list[LayerResponse] = attribute("trace")
    left_out: list[str]
    receipt_id: FilledId
    tokens_used: int = attribute("assembled", "tokens_used")
    token_budget: int
