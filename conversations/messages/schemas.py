"""What doors read and answer of conversations and messages, field by field."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from conversations.messages.services.message_log import MAX_AT_ONCE, NewMessage
from conversations.models import MessageRole
from core.http.field_types import Id, JsonObject, Moment, QueryNumber, TextRules, refuse
from core.http.schemas import (
    DETAIL,
    NOT_GIVEN,
    FilledText,
    IdText,
    MomentText,
    QuerySchema,
    RequestSchema,
    ResponseSchema,
)

MAX_METADATA_CHARACTERS = 16_000
MAX_SESSION_CHARACTERS = 200
EARLIEST, LATEST = datetime(1970, 1, 1, tzinfo=UTC), datetime(3000, 1, 1, tzinfo=UTC)
MAX_READ_AT_ONCE = 200
DEFAULT_LAST = 20
NOT_SPOKEN_THEN = "Must be from 1970 up to the year 3000."
METADATA_TOO_LARGE = f"At most {MAX_METADATA_CHARACTERS:,} characters of JSON."
NOT_A_SESSION = f"`session` is a text of 1 to {MAX_SESSION_CHARACTERS} characters."


def _check_date(at: datetime) -> datetime:
    if not EARLIEST <= at < LATEST:
        refuse("out_of_range", NOT_SPOKEN_THEN)
    return at


def _read_metadata(metadata: dict[str, Any]) -> dict[str, Any]:
    if len(json.dumps(metadata)) > MAX_METADATA_CHARACTERS:
        refuse("too_large", METADATA_TOO_LARGE)
    session = metadata.get("session", "-")
    if not isinstance(session, str) or not 1 <= len(session) <= MAX_SESSION_CHARACTERS:
        refuse("session", NOT_A_SESSION)
    return metadata


RoleName = Literal["user", "assistant", "tool", "system"]
# A time that arithmetic can be done with.
SpokenAt = Annotated[Moment, AfterValidator(_check_date)]
Metadata = Annotated[JsonObject, AfterValidator(_read_metadata)]


class MessageInput(RequestSchema):
    """One message of `POST conversations/{c}/messages`."""

    role: Annotated[RoleName, Field(description="Whose turn it is.", examples=["user"])]
    content: Annotated[
        str,
        TextRules(is_spoken=True, is_trimmed=False),
        Field(description="What was said, as it was said.", examples=["When is tea ordered?"]),
    ]
    name: Annotated[
        str,
        TextRules(max_length=120, is_line=True, allow_blank=True),
        Field(description="Who said it, where that is known.", examples=["Alice"]),
    ] = ""
    created_at: Annotated[
        SpokenAt,
        Field(
            description="When it was said, RFC 3339 with an offset; now, unless given.",
            examples=["2026-01-01T00:00:00Z"],
        ),
    ] = NOT_GIVEN
    metadata: Annotated[
        Metadata,
        Field(
            description="Of the caller's own; `session` names the session that the message belongs to.",
            examples=[{"session": "s-1"}],
        ),
    ] = {}

    def new_message(self) -> NewMessage:
        """Return the message as the service takes it."""
        return NewMessage(
            role=MessageRole(self.role),
            content=self.content,
            name=self.name,
            created_at=self.created_at,
            metadata=self.metadata,
        )


class BulkInput(RequestSchema):
    """The body of `POST conversations/{c}/messages` with many messages at once."""

    messages: Annotated[
        list[MessageInput],
        Field(min_length=1, max_length=MAX_AT_ONCE, examples=[[{"role": "user", "content": "When is tea ordered?"}]]),
    ]


class LastQuery(QuerySchema):
    """The query string of `GET conversations/{c}/messages`; `before` is the id of a message."""

    last: Annotated[int, QueryNumber(1, MAX_READ_AT_ONCE)] = DEFAULT_LAST
    before: Id = NOT_GIVEN


class ConversationResponse(ResponseSchema):
    """A conversation, without what was said in it."""

    id: IdText
    key: str
    title: str
    status: Literal["open", "ended"]
    created_at: MomentText
    last_message_at: MomentText | None
    ended_at: MomentText | None


class MessageResponse(ResponseSchema):
    """One message as it is stored."""

    id: IdText
    conversation_id: IdText
    role: RoleName
    name: FilledText
    content: str
    metadata: Annotated[dict[str, Any], DETAIL]
    session: str
    created_at: MomentText
    consolidated_at: Annotated[MomentText | None, DETAIL]


class MessagesResponse(ResponseSchema):
    """The messages of one call, in the order in which they were given."""

    messages: list[MessageResponse]
