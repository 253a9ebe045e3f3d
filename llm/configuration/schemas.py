"""What doors read and answer of model providers, choices, the budget and prompt runs, field by field.

A provider's key is in no answer.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from core.http.field_types import Id, NumberRange, TextRules, WholeRange, refuse_field
from core.http.schemas import (
    NOT_GIVEN,
    FilledText,
    IdText,
    MomentText,
    RequestSchema,
    ResponseSchema,
    attribute,
)
from llm.call_kinds import Level, Tier
from llm.configuration.services import NewChoice
from llm.models import LONGEST_TIMEOUT_SECONDS, ModelProvider

# A workspace has a handful of agents; a list longer than this is a mistake.
MAX_CHOICES = 100
DEAREST = 100_000

ProviderKindName = Literal["openai", "anthropic", "google"]
ProviderName = Annotated[str, TextRules(max_length=80, is_line=True), Field(examples=["a provider"])]
SpokenKind = Annotated[ProviderKindName, Field(description="The API that the provider speaks.", examples=["openai"])]
ModelName = Annotated[str, TextRules(max_length=200, is_line=True), Field(examples=["m-1"])]
Price = Annotated[float, NumberRange(0, DEAREST), Field(description="Credits for a million tokens.", examples=[0.5])]


class ProviderChangesInput(RequestSchema):
    """The body of `PUT models/providers/{id}`: what is not named stays. The key can be written and never read."""

    name: ProviderName = NOT_GIVEN
    kind: SpokenKind = NOT_GIVEN
    base_url: Annotated[
        str,
        TextRules(max_length=500, allow_blank=True),
        Field(description="Empty for the provider's own address.", examples=["http://127.0.0.1:1/v1"]),
    ] = ""
    api_key: Annotated[str, TextRules(max_length=500, allow_blank=True), Field(examples=["k-1234567"])] = ""
    timeout_seconds: Annotated[int, WholeRange(1, LONGEST_TIMEOUT_SECONDS), Field(examples=[5])] = NOT_GIVEN

    def fields(self) -> dict[str, Any]:
        """Return what the caller named, except for the key."""
        return {name: value for name, value in self.given().items() if name != "api_key"}


class ProviderInput(ProviderChangesInput):
    """The body of `POST models/providers`."""

    name: ProviderName
    kind: SpokenKind


class ChoiceInput(RequestSchema):
    """One choice. With `provider` null it is taken back."""

    level: Annotated[Literal["conversation", "agent", "workspace"], Field(examples=["workspace"])] = "workspace"
    subject: Annotated[
        str,
        TextRules(max_length=200, is_line=True, allow_blank=True),
        Field(description="The agent's name or the conversation's key; empty for the workspace.", examples=[""]),
    ] = ""
    tier: Annotated[Literal["small", "large"], Field(examples=["small"])]
    provider: Annotated[Id | None, Field(examples=["<provider_id>"])]
    model: ModelName = ""
    input_price: Price = 0.0
    output_price: Price = 0.0

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if (self.level == "workspace") == bool(self.subject):
            detail = "The agent's name or the conversation's key; the workspace itself has none."
            refuse_field("subject", "wrong_subject", detail)
        if self.provider and not self.model:
            refuse_field("model", "required", "Name one of the provider's models.")
        return self

    def choice(self) -> NewChoice:
        """Return the choice as the service takes it."""
        return NewChoice(
            level=Level(self.level),
            subject=self.subject,
            tier=Tier(self.tier),
            provider_id=self.provider,
            model=self.model,
            input_price=Decimal(str(self.input_price)),
            output_price=Decimal(str(self.output_price)),
        )


class ChoicesInput(RequestSchema):
    """The body of `PUT models/choices`: the choices that change."""

    choices: Annotated[
        list[ChoiceInput],
        Field(
            min_length=1,
            max_length=MAX_CHOICES,
            examples=[[{"tier": "small", "provider": "<provider_id>", "model": "m-1"}]],
        ),
    ]


class TrialInput(RequestSchema):
    """The body of `POST models/providers/{id}/test`."""

    model: Annotated[ModelName, Field(description="Without it, one that is chosen.")] = ""


class ProviderResponse(ResponseSchema):
    """A model provider; `key_hint` is how its key ends."""

    id: IdText
    name: str
    kind: ProviderKindName
    base_url: str | None
    has_key: bool
    key_hint: FilledText
    timeout_seconds: int
    created_at: MomentText
    updated_at: MomentText

    @classmethod
    def of(cls, found: ModelProvider, *, shows_address: bool = True) -> Self:
        """Return a provider; where it is, and its key's hint, are for those who govern the workspace."""
        provider = cls.model_validate(found)
        return provider if shows_address else provider.model_copy(update={"base_url": None, "key_hint": None})


class TrialResponse(ResponseSchema):
    """Whether a provider answers, one sentence about it, and the provider's name for a failure."""

    works: bool
    detail: str
    provider_code: FilledText
    model: str
    latency_ms: int


class ChoiceResponse(ResponseSchema):
    """Which model answers for a tier: of the workspace, of one agent, or in one conversation."""

    level: str
    subject: str
    tier: str
    provider: IdText = attribute("provider_id")
    provider_name: str = attribute("provider", "name")
    model: str
    input_price: float
    output_price: float


class BudgetResponse(ResponseSchema):
    """What this month's calls have cost, and what they still may."""

    monthly_budget: float | None = attribute("limit")
    spent: float
    background_stopped: bool = attribute("stops_background")
    stopped: bool = attribute("stops_everything")


class PromptRunResponse(ResponseSchema):
    """One call of a model: what for, how it ended, what it cost. Never the prompt."""

    id: IdText
    kind: str
    provider: str
    model: str
    prompt_sha256: str
    status: str
    outcome: str
    input_tokens: int
    output_tokens: int
    credits: float
    latency_ms: int
    created_at: MomentText
