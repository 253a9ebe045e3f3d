"""What doors read and answer of episodes and of the end of conversations, field by field."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import Field

from conversations.messages.schemas import BulkInput, ConversationResponse
from core.http.field_types import Flag, TextRules, WholeRange
from core.http.schemas import NOT_GIVEN, FilledId, IdText, MomentText, RequestSchema, ResponseSchema, Score, attribute
from memory.episodes.statement_kinds import StatementKind
from workspaces.settings.workspace_settings import CONSOLIDATION_LIMITS

EndReasonName = Literal["memory_off", "passed_over", "nothing_new"]


class ConsolidationInput(RequestSchema):
    """The body of `POST conversations/{c}/consolidate`; what it does not name is as in the workspace's settings."""

    retain_last: Annotated[
        int,
        WholeRange(*CONSOLIDATION_LIMITS["retain_last"]),
        Field(description="So many of the newest messages stay as they are.", examples=[20]),
    ] = NOT_GIVEN
    max_age_days: Annotated[
        int,
        WholeRange(*CONSOLIDATION_LIMITS["max_age_days"]),
        Field(description="Younger messages stay as they are.", examples=[30]),
    ] = NOT_GIVEN


class EndInput(RequestSchema):
    """The body of `POST conversations/{c}/end`."""

    extract: Annotated[
        Flag,
        Field(
            description="Look for facts also in what was passed over because it ended while memory was off.",
            examples=[True],
        ),
    ] = False


class EndedResponse(ConversationResponse):
    """A conversation that was ended; `extracting` says whether facts and preferences are being looked for in it.

    `reason` says why not, and `detail` what became of it, for people. `passed_over` counts the messages that are not
    looked at since the conversation ended while memory was off.
    """

    extracting: bool
    memory_enabled: bool
    reason: EndReasonName | None
    passed_over: int
    detail: str

    @classmethod
    def of(cls, found: Any) -> Self:
        """Return the answer made of an ended conversation."""
        return cls(
            **dict(ConversationResponse.of(found.conversation)),
            extracting=found.is_extracting,
            memory_enabled=found.is_memory_enabled,
            reason=found.reason,
            passed_over=found.passed_over,
            detail=found.sentence,
        )


class AddInput(BulkInput):
    """The body of `POST add`."""

    conversation: Annotated[
        str,
        TextRules(max_length=200, is_line=True),
        Field(
            description="Your own key of the conversation, or its id; without it, one for each day and space.",
            examples=["c-1"],
        ),
    ] = NOT_GIVEN


class AddedResponse(ResponseSchema):
    """Messages that were stored; `extracting` says whether facts and preferences will be looked for in them.

    `reason` says why not, and `detail` what becomes of them, for people.
    """

    conversation_id: str
    conversation: str
    message_ids: list[str]
    extracting: bool
    reason: Literal["memory_off"] | None
    detail: str

    @classmethod
    def of(cls, found: Any) -> Self:
        """Return the answer made of messages that were added."""
        return cls(
            conversation_id=str(found.conversation.id),
            conversation=found.conversation.key,
            message_ids=[str(message.id) for message in found.messages],
            extracting=found.is_extracting,
            reason=None if found.is_extracting else "memory_off",
            detail=found.sentence,
        )


class StatementResponse(ResponseSchema):
    """A sentence that an episode keeps of its messages; it can be understood alone."""

    id: IdText
    text: str
    kind: StatementKind
    said_at: MomentText
    speaker: str
    confidence: Score
    valid_from: MomentText | None
    valid_to: MomentText | None
    superseded_by: FilledId = attribute("successor_id")
    superseded_at: MomentText | None


class EpisodeResponse(ResponseSchema):
    """A summary and statements that stand for older messages of a conversation."""

    id: IdText
    conversation_id: IdText
    summary: str
    turn_count: int
    source_message_ids: list[IdText]
    period_start: MomentText
    period_end: MomentText
    created_at: MomentText
    statements: list[StatementResponse] = attribute("statements_in_order")


class ConsolidatedResponse(ResponseSchema):
    """The episodes that a call made; `turns` counts the messages in them."""

    episodes: list[EpisodeResponse]
    turns: int = attribute("turn_count")
    finished: bool = attribute("is_finished")
