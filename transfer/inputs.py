"""What the REST doors of this app accept, field by field."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from conversations import keys
from conversations.inputs import MessageInput, SpokenAtField
from core.http.fields import NumberField, StrictSerializer, TextField
from memory.inputs import MOST_TAGS, TagField

MOST_KEY_CHARACTERS = 200


class MessageLine(MessageInput):
    """One message out of another product's export."""

    item = serializers.ChoiceField(["message"])
    key = TextField(max_length=MOST_KEY_CHARACTERS)
    conversation = TextField(max_length=keys.MOST_CHARACTERS)
    title = TextField(max_length=200, required=False, allow_blank=True)


class MemoryLine(StrictSerializer):
    """One memory out of another product's export."""

    item = serializers.ChoiceField(["memory"])
    content = TextField()
    tags = serializers.ListField(child=TagField(), max_length=MOST_TAGS, required=False)
    importance = NumberField(min_value=0, max_value=1, required=False)
    created_at = SpokenAtField(required=False)
    updated_at = SpokenAtField(required=False)


class ItemLine(serializers.Serializer[Any]):
    """A line of `POST import/items`: `item` says which of the two it is."""

    def to_internal_value(self, data: Any) -> Any:
        kind = data.get("item") if isinstance(data, dict) else None
        reader = MemoryLine if kind == "memory" else MessageLine
        return reader().run_validation(data)


class ItemsQuery(StrictSerializer):
    """The query string of `POST import/items`; a dry run keeps nothing."""

    dry_run = serializers.BooleanField(default=False)
