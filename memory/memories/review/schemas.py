"""What doors read and answer of the review queue."""

from __future__ import annotations

from typing import Annotated, Literal, Self
from uuid import UUID

from pydantic import Field

from core.http.pagination import PageQuery
from core.http.schemas import NOT_GIVEN, IdText, MomentText, RequestSchema, ResponseSchema
from memory.memories.review.item_kinds import VERDICTS, ItemKind
from memory.memories.review.selectors import QueueEntry
from memory.memories.schemas import Content

KindOfItem = Literal["pending", "proposal", "contradiction", "pattern", "merge", "suggestion", "stale"]
VerdictName = Literal[
    "fact",
    "keep",
    "edit",
    "merge",
    "suppress",
    "forget",
    "accept",
    "reject",
    "newer",
    "older",
    "both",
    "apart",
]


class ReviewQuery(PageQuery):
    """The query string of `GET review`."""

    kind: Annotated[KindOfItem, Field(description="Only items of this kind.", examples=["pending"])] = NOT_GIVEN


class DecideInput(RequestSchema):
    """The body of `POST review/{id}/decide`."""

    kind: Annotated[KindOfItem, Field(description="What the item is.", examples=["suggestion"])]
    verdict: Annotated[
        VerdictName, Field(description="One of the item's `verdicts`, as the queue lists them.", examples=["keep"])
    ]
    content: Annotated[Content, Field(description="With `edit`: the words to keep.")] = NOT_GIVEN
    into: Annotated[UUID, Field(description="With `merge`: the memory that says the same, or the node to keep.")] = (
        NOT_GIVEN
    )


class ReviewItemResponse(ResponseSchema):
    """One item that needs a person; `verdicts` are those that it takes, `related` the ids of what it is about."""

    id: IdText
    kind: KindOfItem
    text: str
    waiting_since: MomentText
    verdicts: list[VerdictName]
    related: list[IdText]

    @classmethod
    def of(cls, entry: QueueEntry) -> Self:
        """Return an item of the queue."""
        return cls.model_validate(
            {
                "id": entry.key.id,
                "kind": str(entry.key.kind),
                "text": entry.text,
                "waiting_since": entry.at,
                "verdicts": [str(verdict) for verdict in VERDICTS[entry.key.kind]],
                "related": _subject_ids(entry),
            }
        )


class VerdictResponse(ResponseSchema):
    """A verdict that was given; `ask` where the first of two people asks for a fact. `undone_at` says that it was taken
    back."""

    id: IdText
    kind: KindOfItem
    item_id: IdText
    verdict: VerdictName | Literal["ask"]
    decided_by: str
    decided_at: MomentText
    undone_at: MomentText | None


def _subject_ids(entry: QueueEntry) -> list[UUID]:
    row = entry.row
    if entry.key.kind == ItemKind.CONTRADICTION:
        return [row.source_id, row.target_id]
    if entry.key.kind == ItemKind.MERGE:
        return [row.first_id, row.second_id]
    return [row.origin_id] if entry.key.kind == ItemKind.PROPOSAL else []
