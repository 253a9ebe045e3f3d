"""What doors read and answer of searches through what was said, field by field."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from conversations.messages import conversation_keys
from conversations.messages.schemas import MessageResponse
from core.http.field_types import TextRules, WholeRange
from core.http.schemas import NOT_GIVEN, Confidence, RequestSchema, ResponseSchema, SearchResponse, attribute
from workspaces.settings.workspace_settings import LIMITS

MAX_QUERY_CHARACTERS = 4_000
DEFAULT_FOUND = 10
Query = Annotated[
    str,
    TextRules(max_length=MAX_QUERY_CHARACTERS, is_spoken=True),
    Field(description="A question or keywords, in plain words.", examples=["tea"]),
]


class MessageSearchInput(RequestSchema):
    """The body of `POST messages/search`; `conversation` is a key or an id."""

    query: Query
    limit: Annotated[int, WholeRange(1, 200), Field(description="The maximum number of results.", examples=[5])] = (
        DEFAULT_FOUND
    )
    conversation: Annotated[
        str,
        TextRules(max_length=conversation_keys.MAX_CHARACTERS, is_line=True),
        Field(description="A key or id; without it, in all of them.", examples=["<conversation>"]),
    ] = NOT_GIVEN


class RecallInput(RequestSchema):
    """The body of `POST conversations/{c}/recall`."""

    query: Query
    top_k: Annotated[
        int,
        WholeRange(*LIMITS["recall_top_k"]),
        Field(description="The maximum number of results; without it the setting `memory.recall_top_k`.", examples=[2]),
    ] = NOT_GIVEN


class MessageHitResponse(ResponseSchema):
    """A message that was found, and what speaks for it, the strongest reason first."""

    message: MessageResponse
    score: float
    confidence: Confidence
    reasons: list[str]


class MessageSearchResponse(SearchResponse[MessageHitResponse]):
    """Messages that were found, best first."""


class PassageResponse(ResponseSchema):
    """A message that was found, with those of its session right before and after it, oldest first."""

    message: MessageResponse = attribute("hit", "message")
    score: float = attribute("hit", "score")
    confidence: Confidence = attribute("hit", "confidence")
    reasons: list[str] = attribute("hit", "reasons")
    before: list[MessageResponse]
    after: list[MessageResponse]


class RecallResponse(SearchResponse[PassageResponse]):
    """Passages, best first."""

    results: list[PassageResponse] = Field(validation_alias="passages")
