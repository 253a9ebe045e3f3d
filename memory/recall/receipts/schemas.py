"""What doors read and answer of receipts, field by field."""

from __future__ import annotations

from typing import Annotated, Any, Self

from pydantic import Field

from conversations.search.schemas import Query
from core.http.field_types import Id, TextRules
from core.http.pagination import PageQuery
from core.http.schemas import (
    NOT_GIVEN,
    FilledText,
    IdText,
    MomentText,
    RequestSchema,
    ResponseSchema,
    attribute,
)
from memory.citations.schemas import RunResponse
from memory.memories.schemas import AsOf, KnownAt, SearchMode
from memory.models import ContextReceipt, Run
from memory.recall.receipts.selectors import ReceiptFilter
from memory.recall.receipts.services.rerun import RerunRequest
from memory.recall.schemas import ContextResponse, TokenBudget

_Line = Annotated[str, TextRules(max_length=200, is_line=True)]
ItemId = Annotated[str, TextRules(max_length=200, is_line=True)]
MAX_WITHOUT = 100


class ReceiptsQuery(PageQuery):
    """The query string of `GET receipts`."""

    memory: Annotated[
        Id, Field(description="Contexts that held this memory, or another thing with this id; of the newest 5,000.")
    ] = NOT_GIVEN
    conversation: Annotated[_Line, Field(description="The key or id of a conversation.", examples=["c-1"])] = NOT_GIVEN
    agent: Annotated[
        _Line, Field(description="The name of the key, app or person that asked; of the newest 5,000.")
    ] = NOT_GIVEN

    def narrow(self) -> ReceiptFilter:
        """Return what the list is narrowed to."""
        return ReceiptFilter(self.memory, self.conversation or "", self.agent or "")


class ReceiptRow(ResponseSchema):
    """A context of a list: who asked for it, how large it was, and the run that followed it in its conversation."""

    id: IdText
    conversation: FilledText
    agent: FilledText = attribute("actor_label")
    agent_kind: FilledText = attribute("actor_kind")
    question: Annotated[FilledText, Field(description="Where the workspace keeps contexts.")]
    method: FilledText
    token_budget: int
    tokens_used: int
    items: Annotated[int, Field(description="The number of things in it that have an id of their own.")] = 0
    facts_over_budget: bool = attribute("is_over_budget")
    left_out: list[str]
    latency_ms: float
    created_at: MomentText
    run: RunResponse | None = None

    @classmethod
    def of_found(cls, receipt: ContextReceipt, run: Run | None) -> Self:
        """Return the receipt with the run that followed it."""
        answer = cls.of(receipt)
        answer.items, answer.run = len(receipt.chosen_ids), RunResponse.of(run) if run else None
        return answer


class ReceiptResponse(ReceiptRow):
    """Why a context held what it held; question and text where the workspace keeps contexts."""

    query_sha256: str
    text: FilledText
    text_sha256: Annotated[
        FilledText, Field(description="SHA-256 of the text that was given, in UTF-8; '' of a context of before.")
    ]
    asked: Annotated[Any, Field(description="What was asked for next to the question: user, nodes, times.")]
    blocks: Annotated[Any, Field(description="The tokens of each block.")]
    chosen: Any
    dropped: Any


class RerunInput(RequestSchema):
    """The body of `POST receipts/{id}/rerun`; what is not named stays as it was."""

    query: Annotated[Query, Field(description="Needed where neither receipt nor conversation has the question.")] = (
        NOT_GIVEN
    )
    token_budget: TokenBudget = NOT_GIVEN
    mode: Annotated[SearchMode, Field(description="How nodes are searched.", examples=["hybrid"])] = "hybrid"
    as_of: AsOf = None
    known_at: KnownAt = None
    without: Annotated[
        list[ItemId], Field(max_length=MAX_WITHOUT, description="Ids of items that stay out.", examples=[[]])
    ] = []

    def request(self) -> RerunRequest:
        """Return what is asked otherwise, as the service takes it."""
        return RerunRequest(
            self.query or "", self.token_budget, self.mode, self.as_of, self.known_at, frozenset(self.without)
        )


class RerunResponse(ResponseSchema):
    """The context as it would be now, and what that changes: ids that came in, went out and stayed."""

    context: ContextResponse
    added: list[str]
    removed: list[str]
    kept: list[str]


class MissingItemResponse(ResponseSchema):
    """An item that cannot be written as it was: `erased`, `deleted`, or `changed` where no version kept reads so."""

    id: str
    reason: str


class ReproductionResponse(ResponseSchema):
    """The text of a context, written again from what is kept of that time; `is_identical` says that it has the digest
    of the text that was given, `missing` what could not be written again and is left out."""

    text: str
    text_sha256: Annotated[str, Field(description="SHA-256 of the text that was given, in UTF-8.")]
    is_identical: bool
    missing: list[MissingItemResponse]
