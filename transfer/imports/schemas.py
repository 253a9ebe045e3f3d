"""What the REST doors of this app accept, field by field."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from conversations.messages import conversation_keys
from conversations.messages.schemas import MessageInput, SpokenAtField
from core.http.fields import LineField, NumberField, SpokenField, StrictSerializer
from memory.memories.schemas import MAX_TAGS, TagField

MAX_KEY_CHARACTERS = 200


class ImportedMessageInput(MessageInput):
    """One message out of another product's export."""

    item = serializers.ChoiceField(["message"])
    key = LineField(max_length=MAX_KEY_CHARACTERS)
    conversation = LineField(max_length=conversation_keys.MAX_CHARACTERS)
    title = SpokenField(max_length=200, required=False, allow_blank=True)


class MemoryLine(StrictSerializer):
    """One memory out of another product's export."""

    item = serializers.ChoiceField(["memory"])
    content = SpokenField()
    tags = serializers.ListField(child=TagField(), max_length=MAX_TAGS, required=False)
    importance = NumberField(min_value=0, max_value=1, required=False)
    created_at = SpokenAtField(required=False)
    updated_at = SpokenAtField(required=False)


class ItemLine(serializers.Serializer[Any]):
    """A line of `POST import/items`: `item` says which of the two it is."""

    def to_internal_value(self, data: Any) -> Any:
        kind = data.get("item") if isinstance(data, dict) else None
        reader = MemoryLine if kind == "memory" else ImportedMessageInput
        return reader().run_validation(data)


class ItemsQuery(StrictSerializer):
    """The query string of `POST import/items`; a dry run keeps nothing."""

    dry_run = serializers.BooleanField(default=False)
