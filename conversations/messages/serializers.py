"""The fields of a message for readers that are not declared as schemas: the lines of an import."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

from rest_framework import serializers

from conversations.messages.schemas import (
    EARLIEST,
    LATEST,
    MAX_METADATA_CHARACTERS,
    MAX_SESSION_CHARACTERS,
    METADATA_TOO_LARGE,
    NOT_A_SESSION,
    NOT_SPOKEN_THEN,
)
from conversations.models import MessageRole
from core.http.fields import LineField, ObjectField, SpokenField, StrictSerializer


class SpokenAtField(serializers.DateTimeField):
    """A time that arithmetic can be done with: from 1970 up to the year 3000."""

    default_error_messages = {"out_of_range": NOT_SPOKEN_THEN}

    def to_internal_value(self, value: Any) -> datetime:
        at = super().to_internal_value(value)
        if not EARLIEST <= at < LATEST:
            self.fail("out_of_range")
        return at


class MetadataField(ObjectField):
    """An object in which `session`, where it is given, is a text of 1 to 200 characters."""

    default_error_messages = {"too_large": METADATA_TOO_LARGE, "session": NOT_A_SESSION}

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        metadata = super().to_internal_value(data)
        if len(json.dumps(metadata)) > MAX_METADATA_CHARACTERS:
            self.fail("too_large")
        session = metadata.get("session", "-")
        if not isinstance(session, str) or not 1 <= len(session) <= MAX_SESSION_CHARACTERS:
            self.fail("session")
        return metadata


class MessageInput(StrictSerializer):
    """One message, field by field."""

    role = serializers.ChoiceField(MessageRole.choices)
    content = SpokenField(trim_whitespace=False)
    name = LineField(max_length=120, required=False, allow_blank=True)
    created_at = SpokenAtField(required=False)
    metadata = MetadataField(required=False)
