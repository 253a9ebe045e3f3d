"""What doors read and answer of the embedding model of a workspace and of a change to another one."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from core.http.field_types import Id, refuse_field
from core.http.schemas import FilledText, MomentText, RequestSchema, ResponseSchema
from llm.configuration.schemas import ModelName, Price
from llm.embedding.services.model_choice import EmbedderState
from llm.models import WorkspaceEmbedder


class EmbedderInput(RequestSchema):
    """The body of `PUT models/embedding`. With `provider` null the server's model is chosen."""

    provider: Annotated[Id | None, Field(examples=["<provider_id>"])]
    model: ModelName = ""
    input_price: Price = 0.0

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if self.provider and not self.model:
            refuse_field("model", "required", "Name one of the provider's embedding models.")
        return self

    @property
    def price(self) -> Decimal:
        return Decimal(str(self.input_price))


class EmbedderResponse(ResponseSchema):
    """An embedding model: of a provider of the workspace (`source` `workspace`) or the server's (`server`).

    `failures` counts those since the last success, `problem` says why the last one failed, and nothing is tried before
    `retry_at`.
    """

    source: Literal["workspace", "server"]
    provider: FilledText
    provider_name: FilledText
    model: FilledText
    dimensions: int | None
    since: MomentText | None
    failures: int
    problem: FilledText
    problem_at: MomentText | None
    retry_at: MomentText | None

    @classmethod
    def show(cls, row: WorkspaceEmbedder | None, *, server_model: str) -> Self:
        """Return the answer for a model; without a row, for the server's."""
        row = row or WorkspaceEmbedder()
        provider = row.provider
        return cls(
            source="server" if row.is_of_server else "workspace",
            provider=str(provider.id) if provider else None,
            provider_name=provider.name if provider else None,
            model=row.model or server_model,
            dimensions=row.dimensions or None,
            since=row.active_since,
            failures=row.failures,
            problem=row.problem,
            problem_at=row.problem_at if row.problem else None,
            retry_at=row.retry_at,
        )


class EmbedderChangeResponse(EmbedderResponse):
    """The model that will follow: since when its vectors are made, and of how many rows they are there."""

    done: int
    total: int

    @classmethod
    def of_change(cls, state: EmbedderState) -> Self | None:
        """Return the change that is under way; None where there is none."""
        if state.incoming is None or state.progress is None:
            return None
        shown = EmbedderResponse.show(state.incoming, server_model=state.server_model).model_dump()
        return cls(**{**shown, "since": state.incoming.chosen_at}, done=state.progress.done, total=state.progress.total)


class EmbeddingResponse(ResponseSchema):
    """The model whose vectors searches use, and the one that will follow when all of its vectors are there."""

    active: EmbedderResponse
    change: EmbedderChangeResponse | None

    @classmethod
    def of(cls, state: EmbedderState) -> Self:
        active = EmbedderResponse.show(state.active, server_model=state.server_model)
        return cls(active=active, change=EmbedderChangeResponse.of_change(state))
