"""What the REST doors of this app accept, field by field."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from conversations.messages import conversation_keys
from conversations.messages.serializers import MessageInput, SpokenAtField
from core.http.fields import LineField, NumberField, SpokenField, StrictSerializer, TextField
from memory.memories.schemas import MAX_TAGS, NOT_A_TAG, is_tag

MAX_KEY_CHARACTERS = 200


class ImportedMessageInput(MessageInput):
    """One message out of another product's export."""

    item = serializers.ChoiceField(["message"])
    key = LineField(max_length=MAX_KEY_CHARACTERS)
    conversation = LineField(max_length=conversation_keys.MAX_CHARACTERS)
    title = SpokenField(max_length=200, required=False, allow_blank=True)


class TagField(TextField):
    """A tag of 1 to 64 characters."""

    default_error_messages = {"not_a_tag": NOT_A_TAG}

    def to_internal_value(self, data: Any) -> str:
        tag = super().to_internal_value(data)
        if not is_tag(tag):
            self.fail("not_a_tag")
        return tag


class MemoryLine(StrictSerializer):
    """One memory out of another product's export."""

    item = serializers.ChoiceField(["memory"])
    content = SpokenField()
    tags = serializers.ListField(child=TagField(max_length=64), max_length=MAX_TAGS, required=False)
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
