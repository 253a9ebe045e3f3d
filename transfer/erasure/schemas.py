"""What doors read and answer of erasures."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field

from core.http.field_types import QueryFlag, TextRules
from core.http.schemas import FilledText, MomentText, QuerySchema, ResponseSchema
from memory.memories.schemas import CountedSpaceResponse
from memory.memories.space_counts import CountedSpace
from transfer.erasure.services import Erasure
from workspaces.access.spaces import MAX_NAME_CHARACTERS

StatusName = Literal["counted", "erasing", "erased"]


class EraseQuery(QuerySchema):
    """The query string of `DELETE spaces/{space}`; a dry run counts and deletes nothing."""

    dry_run: QueryFlag = False


class ErasePageQuery(QuerySchema):
    """The query string of the page: which space it is about."""

    name: Annotated[str, TextRules(max_length=MAX_NAME_CHARACTERS), Field(description="Its name, such as `user:42`.")]


class ErasureResponse(ResponseSchema):
    """What is erased of a space: rows by table. `copies` that other spaces accepted of it stay there."""

    space: str
    status: StatusName
    rows: dict[str, int]
    copies: int
    requested_by: FilledText
    requested_at: MomentText | None
    finished_at: MomentText | None


class OneSpaceResponse(CountedSpaceResponse):
    """A space with what is in it, and the receipt of its last erasure."""

    erasure: ErasureResponse | None

    @classmethod
    def of_counted(cls, found: CountedSpace) -> Self:
        """Return a space with its counts."""
        erasure = Erasure.of(found.space)
        counted = dict(CountedSpaceResponse.of_counted(found))
        return cls.model_construct(**counted, erasure=ErasureResponse.of(erasure) if erasure else None)
