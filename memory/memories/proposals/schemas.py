"""What doors read and answer of proposals."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from core.http.pagination import PageQuery
from core.http.schemas import (
    NOT_GIVEN,
    FilledId,
    FilledText,
    IdText,
    MomentText,
    RequestSchema,
    ResponseSchema,
    attribute,
)
from memory.memories.schemas import Content
from workspaces.access.spaces import SHARED
from workspaces.http.space_fields import Name

StatusName = Literal["pending", "accepted", "rejected"]


class ProposalInput(RequestSchema):
    """The body of `POST memories/{id}/propose`; the memory's own space is named by `user`, `agent` or the query."""

    space: Annotated[
        Name, Field(description="The space to offer it to: `shared`, or one of your own.", examples=["shared"])
    ] = str(SHARED)


class AcceptInput(RequestSchema):
    """The body of `POST proposals/{id}/accept`: other words for the copy, if there are any."""

    content: Content = NOT_GIVEN


class ProposalsQuery(PageQuery):
    """The query string of `GET proposals`."""

    status: Annotated[StatusName, Field(description="Only those in this status.", examples=["pending"])] = NOT_GIVEN


class ProposalResponse(ResponseSchema):
    """A memory that was offered to another space, as it was then; `memory_id` is what it became there."""

    id: IdText
    status: StatusName
    space: str
    content: str
    tags: list[str]
    author: str
    origin_id: IdText
    origin_space: str
    proposed_by: str
    proposed_at: MomentText = attribute("created_at")
    valid_from: MomentText | None
    valid_to: MomentText | None
    expires_at: MomentText | None
    decided_by: FilledText
    decided_at: MomentText | None
    memory_id: FilledId


class WithdrawnResponse(ResponseSchema):
    """A proposal that was taken back."""

    withdrawn: IdText
