"""What REST doors answer, field by field; a test holds every answer to it."""

from __future__ import annotations

from typing import Annotated, Any, Generic, Literal, NotRequired, TypeVar

from pydantic import Field

# Pydantic reads this one on Python 3.11 as well.
from typing_extensions import TypedDict

Id = Annotated[str, Field(json_schema_extra={"format": "uuid"})]
Moment = Annotated[str, Field(json_schema_extra={"format": "date-time"})]
Day = Annotated[str, Field(json_schema_extra={"format": "date"})]
Link = Annotated[str, Field(json_schema_extra={"format": "uri"})]
Object = dict[str, Any]
Outcome = Literal["success", "failure", "dead_end"]
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


class Workspace(TypedDict):
    id: Id
    name: str
    slug: str


class Settings(TypedDict):
    memory: Object
    models: Object


class KeyMaker(TypedDict):
    user_id: Id
    name: str


class ApiKey(TypedDict):
    id: Id
    name: str
    hint: str
    scopes: list[Literal["read", "write", "facts", "admin"]]
    created_by: KeyMaker | None
    created_at: Moment
    expires_at: Moment | None
    last_used_at: Moment | None
    revoked_at: Moment | None


class NewApiKey(ApiKey):
    secret: str


class Member(TypedDict):
    user_id: Id | None
    email: str | None
    name: str
    role: Literal["owner", "admin", "member", "viewer"]
    status: Literal["active", "pending"]
    since: Moment


class Provider(TypedDict):
    id: Id
    name: str
    kind: Literal["openai", "anthropic", "google"]
    base_url: str | None
    has_key: bool
    key_hint: str | None
    timeout_seconds: int
    created_at: Moment
    updated_at: Moment


class Trial(TypedDict):
    works: bool
    detail: str
    provider_code: str | None
    model: str
    latency_ms: float


class Choice(TypedDict):
    level: str
    subject: str
    tier: str
    provider: Id
    provider_name: str
    model: str
    input_price: float
    output_price: float


class Budget(TypedDict):
    monthly_budget: float | None
    spent: float
    background_stopped: bool
    stopped: bool


class PromptRun(TypedDict):
    id: Id
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
    created_at: Moment


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


class Import(TypedDict):
    id: Id
    status: Literal["open", "queued", "done", "refused"]
    author: str
    created_at: Moment
    finished_at: Moment | None
    received: dict[str, int] | None
    progress: dict[str, int] | None
    report: Object | None
    error: Object | None


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
