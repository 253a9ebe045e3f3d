"""What REST doors answer, field by field; a test holds every answer to it."""

from __future__ import annotations

from typing import Annotated, Any, Generic, Literal, NotRequired, TypeVar

from pydantic import Field

# Pydantic reads this one on Python 3.11 as well.
from typing_extensions import TypedDict

Id = Annotated[str, Field(json_schema_extra={"format": "uuid"})]
Moment = Annotated[str, Field(json_schema_extra={"format": "date-time"})]
Link = Annotated[str, Field(json_schema_extra={"format": "uri"})]
Object = dict[str, Any]
T = TypeVar("T")


class FieldProblem(TypedDict):
    field: str
    code: str
    detail: str


class Problem(TypedDict):
    """RFC 9457 problem details; `code` is stable."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    errors: NotRequired[list[FieldProblem]]


class Page(TypedDict, Generic[T]):
    results: list[T]
    next: Link | None
    previous: Link | None


class Memory(TypedDict):
    id: Id
    kind: Literal["memory", "fact"]
    content: str
    tags: list[str]
    source: Literal["user", "agent", "extraction", "import"]
    author: str
    confidence: float
    importance: float
    weight: float
    manual_weight: float
    pinned: bool
    pinned_by: str | None
    pinned_at: Moment | None
    suppressed: bool
    suppressed_by: str | None
    suppressed_at: Moment | None
    suppressed_reason: str | None
    times_referenced: int
    independent_references: int
    last_referenced_at: Moment | None
    valid_from: Moment | None
    valid_to: Moment | None
    expires_at: Moment | None
    created_at: Moment
    updated_at: Moment
    is_deleted: bool
    pending_embedding: bool


class Revision(TypedDict):
    id: Id
    action: str
    by: str
    by_kind: str
    at: Moment
    before: Object


class Place(TypedDict):
    rank: int
    score: float


class MemoryHit(TypedDict):
    memory: Memory
    score: float
    arms: dict[str, Place]


class Search(TypedDict, Generic[T]):
    results: list[T]
    method: str
    latency_ms: float


class Removed(TypedDict):
    id: Id
    content: str


class Purged(TypedDict):
    removed: list[Removed]
    count: int


class LineResult(TypedDict):
    line: int
    status: Literal["created", "existing", "refused"]
    id: NotRequired[Id]
    code: NotRequired[str]
    detail: NotRequired[str]
    errors: NotRequired[list[FieldProblem]]


class LineResults(TypedDict):
    results: list[LineResult]
    created: int
    existing: int
    refused: int
