"""What doors read and answer of imports, field by field."""

from __future__ import annotations

from typing import Any, Literal, Self

from rest_framework import serializers

from conversations.messages import conversation_keys
from conversations.messages.serializers import MessageInput, SpokenAtField
from core.http.field_types import QueryFlag
from core.http.fields import LineField, NumberField, SpokenField, StrictSerializer, TextField
from core.http.schemas import IdText, MomentText, QuerySchema, ResponseSchema
from memory.memories.schemas import MAX_TAGS, NOT_A_TAG, is_tag
from transfer.models import Import, ImportStatus

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


class ItemsQuery(QuerySchema):
    """The query string of `POST import/items`; a dry run keeps nothing."""

    dry_run: QueryFlag = False


class ImportResponse(ResponseSchema):
    """An import; `received` and `progress` are told of one that is not over, `report` and `error` of one that is."""

    id: IdText
    status: Literal["open", "queued", "done", "refused"]
    author: str
    created_at: MomentText
    finished_at: MomentText | None
    received: dict[str, int] | None
    progress: dict[str, int] | None
    report: dict[str, Any] | None
    error: dict[str, Any] | None

    @classmethod
    def of(cls, found: Import, *, received: dict[str, int] | None = None, done: int | None = None) -> Self:
        """Return an import; `received` is how much was sent of it, `done` how much of that was brought in."""
        is_waiting = found.status in {ImportStatus.OPEN, ImportStatus.QUEUED}
        return cls.model_validate(
            {
                "id": found.id,
                "status": found.status,
                "author": found.author,
                "created_at": found.created_at,
                "finished_at": found.finished_at,
                "received": received if is_waiting else None,
                "progress": {"done": done} if is_waiting and done is not None else None,
                "report": found.report or None,
                "error": found.error or None,
            }
        )
