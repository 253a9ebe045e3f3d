"""What the proxy for programs of OpenAI's API reads and answers: the fields that it looks at, and all others."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import ConfigDict, Field, StrictBool

from core.http.schemas import RequestSchema, ResponseSchema
from workspaces.access.spaces import MAX_KEY_CHARACTERS

MAX_MESSAGES = 10_000


class ProxyInput(RequestSchema):
    """The body of `POST /v1/proxy/chat/completions`; what is not named here is passed on as it is."""

    model_config = ConfigDict(extra="allow")

    model: Annotated[
        str,
        Field(
            min_length=1,
            max_length=200,
            description="A model that the workspace has chosen, or `default`.",
            examples=["default"],
        ),
    ]
    messages: Annotated[
        list[dict[str, Any]],
        Field(
            min_length=1,
            max_length=MAX_MESSAGES,
            description="The conversation as the program has it.",
            examples=[[{"role": "user", "content": "When is tea ordered?"}]],
        ),
    ]
    stream: Annotated[StrictBool | None, Field(description="Whether the answer comes in chunks.")] = None
    user: Annotated[
        str | None,
        Field(
            max_length=MAX_KEY_CHARACTERS,
            description="Your own key of the end user whose memory it is; without it, and without the header "
            "`X-Memory-Space`, the shared one.",
            examples=["42"],
        ),
    ] = None


class ProviderAnswerResponse(ResponseSchema):
    """The provider's answer, as it came."""

    model_config = ConfigDict(extra="allow")


class ProxiedModelResponse(ResponseSchema):
    """A model that the workspace has chosen, in the form of OpenAI's API."""

    id: str
    object: Literal["model"] = "model"
    created: int
    owned_by: str


class ProxiedModelsResponse(ResponseSchema):
    """The models that a request may name."""

    object: Literal["list"] = "list"
    data: list[ProxiedModelResponse]

    @classmethod
    def of_names(cls, names: dict[str, str], *, created: int) -> Self:
        """Return the list of models with their providers, by name."""
        models = [ProxiedModelResponse(id=name, created=created, owned_by=by) for name, by in names.items()]
        return cls(data=models)
