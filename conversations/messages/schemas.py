"""What the REST doors of this app accept, field by field."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from rest_framework import serializers

from conversations.messages.services.append import MAX_AT_ONCE
from conversations.models import MessageRole
from core.http.fields import (
    IdField,
    LineField,
    ObjectField,
    SpokenField,
    StrictSerializer,
)

MAX_METADATA_CHARACTERS = 16_000
MAX_SESSION_CHARACTERS = 200
EARLIEST, LATEST = datetime(1970, 1, 1, tzinfo=UTC), datetime(3000, 1, 1, tzinfo=UTC)
MAX_READ_AT_ONCE = 200
DEFAULT_LAST = 20


class SpokenAtField(serializers.DateTimeField):
    """A time that arithmetic can be done with: from 1970 up to the year 3000."""

    default_error_messages = {"out_of_range": "Must be from 1970 up to the year 3000."}

    def to_internal_value(self, value: Any) -> datetime:
        at = super().to_internal_value(value)
        if not EARLIEST <= at < LATEST:
            self.fail("out_of_range")
        return at


class MetadataField(ObjectField):
    """An object in which `session`, where it is given, is a text of 1 to 200 characters."""

    default_error_messages = {
        "too_large": f"At most {MAX_METADATA_CHARACTERS:,} characters of JSON.",
        "session": f"`session` is a text of 1 to {MAX_SESSION_CHARACTERS} characters.",
    }

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        metadata = super().to_internal_value(data)
        if len(json.dumps(metadata)) > MAX_METADATA_CHARACTERS:
            self.fail("too_large")
        session = metadata.get("session", "-")
        if not isinstance(session, str) or not 1 <= len(session) <= MAX_SESSION_CHARACTERS:
            self.fail("session")
        return metadata


class MessageInput(StrictSerializer):
    """One message of `POST conversations/{c}/messages`."""

    role = serializers.ChoiceField(MessageRole.choices)
    content = SpokenField(trim_whitespace=False)
    name = LineField(max_length=120, required=False, allow_blank=True)
    created_at = SpokenAtField(required=False)
    metadata = MetadataField(required=False)


class BulkInput(StrictSerializer):
    """The body of `POST conversations/{c}/messages` with many messages at once."""

    messages = serializers.ListField(child=MessageInput(), min_length=1, max_length=MAX_AT_ONCE)


class LastInput(StrictSerializer):
    """The query string of `GET conversations/{c}/messages`; `before` is the id of a message."""

    last = serializers.IntegerField(min_value=1, max_value=MAX_READ_AT_ONCE, default=DEFAULT_LAST)
    before = IdField(required=False)
