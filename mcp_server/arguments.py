"""The types of tool arguments, each with the sentence that an agent reads before it fills them in."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import AfterValidator, AwareDatetime, Field

from conversations.messages.schemas import EARLIEST, LATEST
from core.text import (
    has_forbidden_characters,
    has_invisible_characters,
    is_invisible,
    is_one_line,
    strip_invisible_characters,
)
from core.text.refusals import INVISIBLE_CHARACTERS, MORE_THAN_A_LINE
from memory.memories.schemas import NOT_A_TAG, is_tag
from workspaces.settings.workspace_settings import LIMITS


def _storable(text: str) -> str:
    if has_forbidden_characters(text):
        raise ValueError("Contains characters that are not text (NUL, control characters or lone surrogates).")
    return text


def _visible(text: str) -> str:
    if is_invisible(text):
        raise ValueError("This text has no visible characters.")
    return text


def _without_invisible(text: str) -> str:
    if has_invisible_characters(text):
        raise ValueError(INVISIBLE_CHARACTERS)
    return text


def _on_one_line(text: str) -> str:
    if not is_one_line(text):
        raise ValueError(MORE_THAN_A_LINE)
    return text


def _tag(text: str) -> str:
    if not is_tag(text := text.strip()):
        raise ValueError(NOT_A_TAG)
    return text


def _reckonable(at: datetime) -> datetime:
    try:
        return at.astimezone(UTC)
    except OverflowError as error:
        raise ValueError("Is no time of the years 1 to 9999 in UTC.") from error


def _sayable(at: datetime) -> datetime:
    if not EARLIEST <= at < LATEST:
        raise ValueError("Must be from 1970 up to the year 3000.")
    return at


AnyText = Annotated[str, AfterValidator(_storable), AfterValidator(_without_invisible)]
AnyLine = Annotated[AnyText, AfterValidator(_on_one_line)]
Text = Annotated[
    str, Field(min_length=1), AfterValidator(_storable), AfterValidator(_visible), AfterValidator(_without_invisible)
]
Line = Annotated[Text, AfterValidator(_on_one_line)]
# Somebody's own words, such as a message or a question; see core.http.fields.SpokenField.
Spoken = Annotated[
    str,
    Field(min_length=1),
    AfterValidator(_storable),
    AfterValidator(_visible),
    AfterValidator(strip_invisible_characters),
]

MemoryId = Annotated[UUID, Field(description="The id of a memory or fact, as recall answers it.")]
Content = Annotated[Text, Field(description="One statement that stands for itself: who, what, when. No secrets.")]
Query = Annotated[Spoken, Field(max_length=4_000, description="A question or keywords, in plain words.")]
Tag = Annotated[Text, Field(max_length=64), AfterValidator(_tag)]
Tags = Annotated[list[Tag], Field(max_length=20, description="Short labels, without commas.")]
Limit = Annotated[int, Field(ge=1, le=200, description="The maximum number of results.")]
Share = Annotated[float, Field(ge=0, le=1)]
Kind = Annotated[
    Literal["memory", "fact"],
    Field(description="A memory is a suggestion; a fact is authoritative and needs the scope `facts`."),
]
Mode = Annotated[Literal["hybrid", "keyword", "semantic"], Field(description="How to search; hybrid is best.")]
Reason = Annotated[Text, Field(max_length=500, description="The reason, shown on the memory's page.")]
ConversationKey = Annotated[
    Line, Field(max_length=200, description="Your own key of the conversation, or its id; a new key begins one.")
]
Budget = Annotated[
    int, Field(ge=1, le=LIMITS["token_budget"][1], description="The maximum number of tokens; facts are never dropped.")
]
Moment = Annotated[AwareDatetime, Field(description="RFC 3339 with an offset."), AfterValidator(_reckonable)]
SaidAt = Annotated[Moment, AfterValidator(_sayable)]
