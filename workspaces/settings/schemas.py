"""What doors read and answer of a workspace's settings, field by field."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import Field

from core.http.field_types import Flag, NumberRange, Share, TextRules, WholeRange
from core.http.schemas import NOT_GIVEN, RequestSchema, ResponseSchema
from workspaces.settings.retention import RETENTION_LIMITS
from workspaces.settings.review_policy import MAX_RULES
from workspaces.settings.selectors import settings_json
from workspaces.settings.user_template import MAX_TEMPLATE_CHARACTERS
from workspaces.settings.workspace_settings import (
    CONSOLIDATION_LIMITS,
    LIMITS,
    MAX_CREDITS,
    Configured,
)


class ConsolidationSettingsInput(RequestSchema):
    """The `memory.consolidation` part of the settings."""

    scheduled: Annotated[Flag, Field(examples=[True])] = NOT_GIVEN
    retain_last: Annotated[int, WholeRange(*CONSOLIDATION_LIMITS["retain_last"]), Field(examples=[20])] = NOT_GIVEN
    max_age_days: Annotated[int, WholeRange(*CONSOLIDATION_LIMITS["max_age_days"]), Field(examples=[30])] = NOT_GIVEN
    keep_sources: Annotated[Flag, Field(examples=[True])] = NOT_GIVEN
    message_retention_days: Annotated[
        int, WholeRange(*CONSOLIDATION_LIMITS["message_retention_days"]), Field(examples=[90])
    ] = NOT_GIVEN


class ReviewRuleInput(RequestSchema):
    """One rule of the review policy; what it does not name matches everything."""

    source: Annotated[Literal["user", "agent", "extraction", "import"], Field(examples=["extraction"])] = NOT_GIVEN
    kind: Annotated[Literal["memory", "fact"], Field(examples=["memory"])] = NOT_GIVEN
    below_confidence: Annotated[Share, Field(description="Memories with a smaller confidence.", examples=[0.7])] = (
        NOT_GIVEN
    )
    needs_person: Annotated[
        Flag,
        Field(description="Whether they wait for a person; until then nothing recalls them.", examples=[True]),
    ] = NOT_GIVEN


class ReviewPolicyInput(RequestSchema):
    """The `memory.review` part of the settings."""

    rules: Annotated[
        list[ReviewRuleInput],
        Field(
            max_length=MAX_RULES,
            description="The first rule that matches a new memory, or one that an agent rewrites, decides.",
            examples=[[{"source": "extraction", "below_confidence": 0.7}]],
        ),
    ] = NOT_GIVEN
    four_eyes: Annotated[
        Flag,
        Field(description="A memory becomes a fact once two people have said so.", examples=[False]),
    ] = NOT_GIVEN


class MemorySettingsInput(RequestSchema):
    """The `memory` part of the settings; a PUT may name only what it changes."""

    enabled: Annotated[Flag, Field(examples=[True])] = NOT_GIVEN
    retention_days: Annotated[int, WholeRange(*LIMITS["retention_days"]), Field(examples=[30])] = NOT_GIVEN
    token_budget: Annotated[int, WholeRange(*LIMITS["token_budget"]), Field(examples=[500])] = NOT_GIVEN
    embed_messages: Annotated[Flag, Field(examples=[True])] = NOT_GIVEN
    recall_messages: Annotated[
        Literal["off", "conversation", "spaces"],
        Field(
            description="Messages in contexts: none, of the conversation that is named, or of all that the call reads.",
            examples=["conversation"],
        ),
    ] = NOT_GIVEN
    min_confidence: Annotated[
        Share,
        Field(description="Items that bear on the query with a smaller probability stay out.", examples=[0.01]),
    ] = NOT_GIVEN
    keep_contexts: Annotated[
        Flag,
        Field(description="Whether receipts keep the question and the text of their contexts.", examples=[True]),
    ] = NOT_GIVEN
    pattern_min_callers: Annotated[int, WholeRange(*LIMITS["pattern_min_callers"]), Field(examples=[2])] = NOT_GIVEN
    recent_messages: Annotated[int, WholeRange(*LIMITS["recent_messages"]), Field(examples=[20])] = NOT_GIVEN
    recall_top_k: Annotated[int, WholeRange(*LIMITS["recall_top_k"]), Field(examples=[5])] = NOT_GIVEN
    recall_before: Annotated[int, WholeRange(*LIMITS["recall_before"]), Field(examples=[2])] = NOT_GIVEN
    recall_after: Annotated[int, WholeRange(*LIMITS["recall_after"]), Field(examples=[1])] = NOT_GIVEN
    observe_tokens: Annotated[int, WholeRange(*LIMITS["observe_tokens"]), Field(examples=[30_000])] = NOT_GIVEN
    reflect_tokens: Annotated[int, WholeRange(*LIMITS["reflect_tokens"]), Field(examples=[40_000])] = NOT_GIVEN
    user_template: Annotated[
        Annotated[str, TextRules(max_length=MAX_TEMPLATE_CHARACTERS)] | None,
        Field(
            description="Headings with labels, in Markdown, that the working memory of a new user begins with; null "
            "for the default.",
            examples=["# About the user\n- **Name**:"],
        ),
    ] = NOT_GIVEN
    consolidation: ConsolidationSettingsInput = NOT_GIVEN
    review: ReviewPolicyInput = NOT_GIVEN


class ModelSettingsInput(RequestSchema):
    """The `models` part of the settings; a PUT may name only what it changes."""

    monthly_budget: Annotated[
        Annotated[float, NumberRange(0, MAX_CREDITS)] | None,
        Field(description="Credits that calls of models may cost in a month; null means no limit.", examples=[100]),
    ] = None


class RetentionSettingsInput(RequestSchema):
    """The `retention` part of the settings, in days; a PUT may name only what it changes."""

    messages: Annotated[
        int,
        WholeRange(*RETENTION_LIMITS["messages"]),
        Field(description="Messages that no episode stands for are deleted when they are this old.", examples=[365]),
    ] = NOT_GIVEN
    receipts: Annotated[
        int,
        WholeRange(*RETENTION_LIMITS["receipts"]),
        Field(description="Receipts of contexts are deleted when they are this old.", examples=[365]),
    ] = NOT_GIVEN


class SettingsInput(RequestSchema):
    """The body of `PUT settings`."""

    memory: Annotated[
        MemorySettingsInput, Field(examples=[{"enabled": True, "retention_days": 30, "token_budget": 500}])
    ] = NOT_GIVEN
    models: Annotated[ModelSettingsInput, Field(examples=[{}])] = NOT_GIVEN
    retention: Annotated[RetentionSettingsInput, Field(examples=[{"messages": 365}])] = NOT_GIVEN

    def changes(self) -> dict[str, dict[str, Any]]:
        """Return the settings that the caller named, by part."""
        return self.model_dump(exclude_unset=True)


class SettingsResponse(ResponseSchema):
    """The settings of a workspace, by part."""

    memory: dict[str, Any]
    models: dict[str, Any]
    retention: dict[str, Any]

    @classmethod
    def of(cls, found: Configured) -> Self:
        """Return the stored settings over their defaults."""
        return cls.model_validate(settings_json(found))


class ToggledResponse(ResponseSchema):
    """Whether memory is on, and whether the call changed that."""

    enabled: bool
    changed: bool
