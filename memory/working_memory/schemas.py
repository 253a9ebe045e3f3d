"""What doors read and answer of slots and of what is kept about users, field by field."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field

from conversations.search.schemas import Query
from core.http.field_types import JsonObject, JsonValue, NumberRange, TextRules, WholeRange, refuse
from core.http.schemas import (
    NOT_GIVEN,
    FilledText,
    MomentText,
    RequestSchema,
    ResponseSchema,
    Score,
    SearchResponse,
    attribute,
)
from core.text import has_invisible_characters, is_one_line
from core.text.markdown_sections import MAX_HEADING_CHARACTERS, parse_sections
from core.text.validators import INVISIBLE_CHARACTERS
from memory.working_memory.profile_sections import VERSION_CHARACTERS, content_version
from memory.working_memory.services.profiles import MAX_CHARACTERS, UserMemoryVersionError
from memory.working_memory.slot_limits import MAX_ITEMS, MAX_MEGABYTES, MAX_TTL_SECONDS, SlotLimits

NOT_SECTIONS = f"Give texts by heading; a heading is one line of at most {MAX_HEADING_CHARACTERS} characters."


def _read_sections(sections: dict[str, Any]) -> dict[str, Any]:
    if not sections or not all(map(_is_section, sections.items())):
        refuse("sections", NOT_SECTIONS)
    if any(has_invisible_characters(f"{heading}\n{text}") for heading, text in sections.items()):
        refuse("invisible_characters", INVISIBLE_CHARACTERS)
    return sections


def _is_section(section: tuple[str, Any]) -> bool:
    heading, text = section
    return (
        isinstance(text, str)
        and heading == heading.strip()
        and bool(heading)
        and is_one_line(heading)
        and len(heading) <= MAX_HEADING_CHARACTERS
    )


class LimitsInput(RequestSchema):
    """What a writing may say about its slot."""

    ttl_seconds: Annotated[
        int,
        WholeRange(1, MAX_TTL_SECONDS),
        Field(description="Seconds after the last write until the slot expires.", examples=[60]),
    ] = NOT_GIVEN
    max_items: Annotated[
        int, WholeRange(1, MAX_ITEMS), Field(description="The number of newest items that a list keeps.", examples=[5])
    ] = NOT_GIVEN
    max_size_mb: Annotated[
        float, NumberRange(0.000001, MAX_MEGABYTES), Field(description="Megabytes of JSON.", examples=[0.5])
    ] = NOT_GIVEN
    schema_version: Annotated[
        int, WholeRange(1, 1_000_000), Field(description="The caller's own version of what is in it.", examples=[2])
    ] = NOT_GIVEN

    def limits(self) -> SlotLimits:
        """Return what is said about the slot."""
        return SlotLimits(self.ttl_seconds, self.max_items, self.max_size_mb, self.schema_version)


class SlotInput(LimitsInput):
    """The body of `PUT slots/{tier}/{name}`; a list is kept as items."""

    value: Annotated[JsonValue, Field(description="Any JSON value.", examples=[["Tea is ordered daily."]])]


class ItemInput(LimitsInput):
    """The body of `POST slots/{tier}/{name}/append`."""

    item: Annotated[JsonValue, Field(description="Any JSON value.", examples=["Tea is ordered daily."])]


class SlotSearchInput(RequestSchema):
    """The body of `POST slots/{tier}/{name}/search`."""

    query: Query
    limit: Annotated[int, WholeRange(1, 200), Field(examples=[5])] = 5


Version = Annotated[
    Annotated[str, TextRules(max_length=VERSION_CHARACTERS, is_line=True)] | None,
    Field(description="The version that it was made from; where another one is kept, 409.", examples=[None]),
]


class UserMemoryInput(RequestSchema):
    """The body of `PUT users/{user}/memory`: all of it, in Markdown."""

    content: Annotated[str, TextRules(max_length=MAX_CHARACTERS), Field(examples=["# User Context\n- **Name**: Alice"])]
    version: Version = None


class UserSectionsInput(RequestSchema):
    """The body of `PATCH users/{user}/memory`: texts by heading; an empty text takes its section out."""

    sections: Annotated[
        JsonObject,
        AfterValidator(_read_sections),
        Field(description="Texts by heading.", examples=[{"Current Goals": "Order tea."}]),
    ]
    version: Version = None


class SlotStateResponse(ResponseSchema):
    """A slot and what limits it; `count` items, or null for one value."""

    tier: Literal["working", "session", "episodic", "semantic"] = attribute("address", "tier")
    name: str = attribute("address", "name")
    scope: dict[str, str] = attribute("address", "scope")
    count: int | None
    schema_version: int
    ttl_seconds: int | None
    max_items: int | None
    max_size_mb: float | None
    size_bytes: int
    expires_at: MomentText | None
    updated_at: MomentText | None


class SlotResponse(SlotStateResponse):
    """A slot with what it holds; `versions` are those of its items, or null for one value."""

    value: Any
    versions: list[int] | None


class SlotHitResponse(ResponseSchema):
    """An item that was found, and the version that it was written as."""

    item: Any
    schema_version: int
    score: Score = attribute("found", "score")


class SlotSearchResponse(SearchResponse[SlotHitResponse]):
    """Items, best first."""


class UserMemoryResponse(ResponseSchema):
    """What is kept about a user, whole and by section; `version` stands for what it says."""

    user: str
    content: str
    sections: Annotated[dict[str, str], BeforeValidator(parse_sections)] = attribute("content")
    version: Annotated[str, BeforeValidator(content_version)] = attribute("content")
    updated_by: FilledText
    updated_at: MomentText | None


def with_current(error: UserMemoryVersionError) -> UserMemoryVersionError:
    """Return the refusal with what is kept as it is now, for the doors."""
    error.current = UserMemoryResponse.of(error.kept).as_json()
    return error
