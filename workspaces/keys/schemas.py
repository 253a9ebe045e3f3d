"""What doors read and answer of API keys, field by field."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import BeforeValidator, Field

from core.http.field_types import Flag, Moment, TextRules
from core.http.schemas import IdText, MomentText, RequestSchema, ResponseSchema, attribute
from workspaces.access.spaces import MAX_NAME_CHARACTERS
from workspaces.keys.tool_sets import TOOL_SETS, ToolSet
from workspaces.models import ApiKey, User

MAX_SPACES = 100
Scope = Literal["read", "write", "facts", "admin"]


class KeyInput(RequestSchema):
    """The body of `POST api-keys`."""

    name: Annotated[str, TextRules(max_length=120, is_line=True), Field(examples=["another"])]
    scopes: Annotated[list[Scope], Field(min_length=1, max_length=10, examples=[["read"]])]
    expires_at: Annotated[
        Moment | None, Field(description="Without it the key does not expire.", examples=["2030-01-01T00:00:00Z"])
    ] = None
    spaces: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=MAX_NAME_CHARACTERS)]],
        Field(
            max_length=MAX_SPACES,
            description="The spaces that the key may use, `user:*` for those of every user; empty for every space.",
            examples=[["user:42", "shared"]],
        ),
    ] = []
    stamped: Annotated[
        Flag,
        Field(description="Whether each call must name its user in the header `X-On-Behalf-Of`.", examples=[False]),
    ] = False
    sub_agent: Annotated[
        Flag,
        Field(description="Whether it is a sub-agent's, which is given no memory of users.", examples=[False]),
    ] = False
    tools: Annotated[
        list[ToolSet],
        Field(
            max_length=len(TOOL_SETS),
            description="The sets of MCP tools that are listed where the address names none; empty for `core`.",
            examples=[["core", "telemetry"]],
        ),
    ] = []


class KeyMakerResponse(ResponseSchema):
    """The person who made a key."""

    user_id: IdText
    name: str


def _key_maker(user: User | None) -> KeyMakerResponse | None:
    return None if user is None else KeyMakerResponse(user_id=str(user.id), name=str(user))


class ApiKeyResponse(ResponseSchema):
    """An API key; `hint` is how its secret begins."""

    id: IdText
    name: str
    hint: str
    scopes: list[Scope]
    spaces: list[str]
    stamped: bool = attribute("is_stamped")
    sub_agent: bool = attribute("is_of_sub_agent")
    tools: list[ToolSet]
    created_by: Annotated[KeyMakerResponse | None, BeforeValidator(_key_maker)]
    created_at: MomentText
    expires_at: MomentText | None
    last_used_at: MomentText | None
    revoked_at: MomentText | None


class NewApiKeyResponse(ApiKeyResponse):
    """An API key that was just made, with its secret."""

    secret: str

    @classmethod
    def of_new(cls, key: ApiKey, *, secret: str) -> Self:
        """Return a key with its secret, which nothing else ever answers."""
        return cls.model_construct(**dict(ApiKeyResponse.of(key)), secret=secret)
