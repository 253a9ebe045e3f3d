"""What doors read and answer of memories and facts, field by field."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field

from conversations.search.schemas import Query
from core.http.field_types import (
    COMMA_SEPARATED,
    Flag,
    Moment,
    NumberRange,
    QueryFlag,
    Share,
    TextRules,
    WholeRange,
    refuse,
)
from core.http.field_types import Text as AnyText
from core.http.pagination import PageQuery
from core.http.schemas import (
    DETAIL,
    NOT_GIVEN,
    Confidence,
    EditSchema,
    FilledId,
    FilledText,
    IdText,
    MomentText,
    PlaceResponse,
    QuerySchema,
    RequestSchema,
    ResponseSchema,
    Score,
    SearchResponse,
    Weight,
    attribute,
)
from core.text import is_one_line
from core.text.invisible_characters import INVISIBLE
from memory.memories.services.memory_writer import NewMemory
from memory.memories.sources.schemas import MemorySourceResponse, StepSourceResponse
from memory.memories.sources.selectors import QuotedSource
from memory.memories.space_counts import CountedSpace
from memory.models import Kind, Memory, Source
from workspaces.http.spaces_api import SpaceResponse

MAX_TAGS = 20
MAX_TAG_CHARACTERS = 64
NOT_A_TAG = "One line without commas; several tags are several items."
_TAG_PATTERN = (
    rf"^[^\s,\u0000-\u001f\u007f-\u009f{INVISIBLE}]"
    rf"([^,\u0000-\u001f\u007f-\u009f\u2028\u2029{INVISIBLE}]*[^\s,\u0000-\u001f\u007f-\u009f{INVISIBLE}])?$"
)


def is_tag(text: str) -> bool:
    """Return whether a text can be a tag: one line, without the comma that separates tags in addresses and forms."""
    return bool(text) and "," not in text and is_one_line(text)


def _read_tag(text: str) -> str:
    if not is_tag(text):
        refuse("not_a_tag", NOT_A_TAG)
    return text


KindName = Literal["memory", "fact"]
SourceName = Literal["user", "agent", "extraction", "import"]
SearchMode = Literal["hybrid", "keyword", "semantic"]
Tag = Annotated[str, TextRules(max_length=MAX_TAG_CHARACTERS, pattern=_TAG_PATTERN), AfterValidator(_read_tag)]
Tags = Annotated[list[Tag], Field(max_length=MAX_TAGS, description="Short labels, without commas.", examples=[["tea"]])]
Content = Annotated[
    AnyText,
    Field(
        description="One statement that stands for itself: who, what, when. No secrets.",
        examples=["Anna drinks green tea."],
    ),
]
AsOf = Annotated[
    Moment | None,
    Field(description="What was true at this time, instead of now.", examples=["2030-01-01T00:00:00Z"]),
]
KnownAt = Annotated[
    Moment | None,
    Field(
        description="What was known at this time: without what was learned later, and what that has closed.",
        examples=["2030-01-01T00:00:00Z"],
    ),
]
Reason = Annotated[
    str,
    TextRules(max_length=500, allow_blank=True),
    Field(description="The reason, shown on the memory's page.", examples=["Out of date."]),
]


class MemoryFields(RequestSchema):
    """What can be said of a memory when it is written and when it is edited."""

    content: Content
    tags: Tags = []
    importance: Annotated[Share, Field(description="How much it matters.", examples=[0.5])] = 0.5
    confidence: Annotated[Share, Field(description="How certain it is.", examples=[0.9])] = 1.0
    valid_from: Annotated[Moment | None, Field(examples=["2026-01-01T00:00:00Z"])] = None
    valid_to: Annotated[Moment | None, Field(examples=["2030-01-01T00:00:00Z"])] = None
    expires_at: Annotated[
        Moment | None,
        Field(
            description="From when on it is not recalled any more; RFC 3339 with an offset.",
            examples=["2030-01-01T00:00:00Z"],
        ),
    ] = None


class MemoryInput(MemoryFields):
    """The body of `POST memories`."""

    kind: Annotated[
        KindName,
        Field(
            description="A memory is a suggestion; a fact is authoritative and needs the scope `facts`.",
            examples=["memory"],
        ),
    ] = "memory"
    source: Annotated[SourceName, Field(examples=["agent"])] = NOT_GIVEN

    def new_memory(self, source: Source) -> NewMemory:
        """Return the memory as the service takes it."""
        return NewMemory(kind=Kind(self.kind), source=source, **self.model_dump(exclude={"kind", "source"}))


class MemoryEditInput(EditSchema, MemoryFields):
    """The body of `PATCH memories/{id}`: any of these, at least one."""

    content: Content = ""


class ForgetInput(RequestSchema):
    """The body of `DELETE memories/{id}`; `force` forgets a pinned memory too."""

    force: Annotated[Flag, Field(examples=[True])] = False


class ForgetQuery(QuerySchema):
    """The same in the query string, for clients that cannot send a body with DELETE."""

    force: QueryFlag = False


class SuppressInput(RequestSchema):
    """The body of `POST memories/{id}/suppress`; the reason is shown on the memory's page."""

    reason: Reason = ""


class WeightInput(RequestSchema):
    """The body of `POST memories/{id}/weight`."""

    delta: Annotated[float, NumberRange(-10, 10), Field(examples=[0.5])]
    times_referenced: Annotated[int, WholeRange(0, 2**31 - 1), Field(examples=[0])] = 0


class MemoryFilters(RequestSchema):
    """The filters of a search."""

    kinds: Annotated[list[KindName], Field(max_length=10, examples=[["memory"]])] = []
    tags: Tags = []
    sources: Annotated[list[SourceName], Field(max_length=10, examples=[["agent"]])] = []
    pinned: Annotated[Flag | None, Field(examples=[False])] = None
    created_after: Annotated[Moment | None, Field(examples=["2020-01-01T00:00:00Z"])] = None
    created_before: Annotated[Moment | None, Field(examples=["2030-01-01T00:00:00Z"])] = None
    as_of: AsOf = None
    known_at: KnownAt = None


class MemorySearchInput(MemoryFilters):
    """The body of `POST memories/search`. Filters stand next to the query or together under `filters`."""

    query: Query
    limit: Annotated[int, WholeRange(1, 200), Field(description="The maximum number of results.", examples=[10])] = 10
    mode: Annotated[SearchMode, Field(description="How to search; hybrid is best.", examples=["hybrid"])] = "hybrid"
    filters: Annotated[MemoryFilters, Field(examples=[{}])] = MemoryFilters()

    def filter_values(self) -> dict[str, Any]:
        """Return what the search is narrowed to; what stands next to the query goes before `filters`."""
        beside = {name: value for name, value in self.given().items() if name in MemoryFilters.model_fields}
        return {**self.filters.given(), **beside}


class MemoriesQuery(PageQuery):
    """The query string of `GET memories`."""

    kinds: Annotated[list[KindName], COMMA_SEPARATED] = []
    tags: Annotated[list[Tag], COMMA_SEPARATED] = []
    sources: Annotated[list[SourceName], COMMA_SEPARATED] = []
    pinned: QueryFlag = None
    created_after: Moment | None = None
    created_before: Moment | None = None
    as_of: AsOf = None
    known_at: KnownAt = None
    extracted_from: Annotated[
        str,
        TextRules(max_length=200, is_line=True),
        Field(description="The key or id of a conversation: what was extracted from it.", examples=["c-1"]),
    ] = NOT_GIVEN


class MemoryResponse(ResponseSchema):
    """A memory or fact."""

    id: IdText = attribute("pk")
    kind: KindName
    content: str
    tags: list[str]
    source: SourceName
    author: Annotated[str, DETAIL]
    confidence: float
    importance: float = attribute("node", "importance_score")
    weight: Weight
    manual_weight: Annotated[Weight, DETAIL]
    pinned: bool = attribute("is_pinned")
    pinned_by: Annotated[FilledText, DETAIL]
    pinned_at: Annotated[MomentText | None, DETAIL]
    suppressed: bool = attribute("is_suppressed")
    suppressed_by: Annotated[FilledText, DETAIL]
    suppressed_at: Annotated[MomentText | None, DETAIL] = attribute("node", "suppressed_at")
    suppressed_reason: Annotated[FilledText, DETAIL]
    times_referenced: int
    independent_references: int
    last_referenced_at: Annotated[MomentText | None, DETAIL] = attribute("node", "last_referenced_at")
    valid_from: MomentText | None = attribute("node", "valid_from")
    valid_to: Annotated[MomentText | None, DETAIL] = attribute("node", "valid_to")
    expires_at: Annotated[MomentText | None, DETAIL] = attribute("node", "expires_at")
    created_at: MomentText = attribute("node", "created_at")
    updated_at: MomentText = attribute("node", "updated_at")
    is_deleted: bool = attribute("node", "is_deleted")
    pending_embedding: Annotated[bool, DETAIL] = attribute("node", "needs_embedding")
    origin_id: Annotated[FilledId, DETAIL]
    origin_space: Annotated[FilledText, DETAIL]
    superseded_by: Annotated[FilledId, DETAIL] = attribute("superseded_by_id")
    superseded_at: Annotated[MomentText | None, DETAIL]


class MemoryDetailResponse(MemoryResponse):
    """A memory or fact with the messages that it was extracted from, newest first, at most 50."""

    sources: list[MemorySourceResponse]

    @classmethod
    def of_sourced(cls, memory: Memory, sources: Sequence[QuotedSource]) -> Self:
        """Return a memory with its sources."""
        said = [MemorySourceResponse.of(each) for each in sources]
        return cls.model_construct(**dict(MemoryResponse.of(memory)), sources=said)


class RememberedResponse(ResponseSchema):
    """The memory that now stands for a text; `is_new` is false where it was there before."""

    memory: MemoryResponse
    is_new: bool


class MemoriesResponse(ResponseSchema):
    """Memories, newest first."""

    results: list[MemoryResponse]


class RevisionResponse(ResponseSchema):
    """One step in the history of a memory; `before` holds what it replaced, `source` the message that made it."""

    id: IdText
    action: str
    by: str = attribute("actor_label")
    by_kind: str = attribute("actor_kind")
    at: MomentText = attribute("created_at")
    before: dict[str, Any]
    source: Annotated[StepSourceResponse | None, DETAIL]


class MemoryHitResponse(ResponseSchema):
    """A memory that a search found; `arms` has its place by words and by meaning."""

    memory: MemoryResponse
    score: Score = attribute("found", "score")
    confidence: Confidence = attribute("found", "confidence")
    arms: dict[str, PlaceResponse] = attribute("found", "places")


class MemorySearchResponse(SearchResponse[MemoryHitResponse]):
    """Hits, best first."""


class RemovedMemoryResponse(ResponseSchema):
    """A memory that a purge forgot."""

    id: IdText = attribute("pk")
    content: str


class PurgedResponse(ResponseSchema):
    """What a purge forgot."""

    removed: list[RemovedMemoryResponse]
    count: int


class CountsResponse(ResponseSchema):
    """How many live memories and facts, conversations, statements and actions a space holds."""

    memories: int
    conversations: int
    statements: int
    actions: int


class CountedSpaceResponse(SpaceResponse):
    """A space with what is in it."""

    counts: CountsResponse

    @classmethod
    def of_counted(cls, found: CountedSpace) -> Self:
        """Return a space with its counts."""
        return cls.model_construct(**dict(SpaceResponse.of(found.space)), counts=CountsResponse.of(found))
