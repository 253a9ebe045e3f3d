"""What the REST doors of this app accept, field by field."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from core.http.fields import (
    ChosenField,
    CommaSeparatedField,
    FlagField,
    NumberField,
    SpokenField,
    StrictSerializer,
    TextField,
    WholeNumberField,
)
from core.text import is_one_line
from core.text.invisible_characters import INVISIBLE
from memory.models import Kind, Source

MAX_TAGS = 20
MAX_QUERY_CHARACTERS = 4_000
MODES = ("hybrid", "keyword", "semantic")
NOT_A_TAG = "One line without commas; several tags are several items."


def is_tag(text: str) -> bool:
    """Whether a text can be a tag: one line, without the comma that separates tags in addresses and forms."""
    return bool(text) and "," not in text and is_one_line(text)


class TagField(TextField):
    """A tag of 1 to 64 characters."""

    default_error_messages = {"not_a_tag": NOT_A_TAG}
    json_pattern = (
        rf"^[^\s,\u0000-\u001f\u007f-\u009f{INVISIBLE}]"
        rf"([^,\u0000-\u001f\u007f-\u009f\u2028\u2029{INVISIBLE}]*[^\s,\u0000-\u001f\u007f-\u009f{INVISIBLE}])?$"
    )

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=64, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        tag = super().to_internal_value(data)
        if not is_tag(tag):
            self.fail("not_a_tag")
        return tag


class TimesInput(StrictSerializer):
    """When something may be recalled; null takes a bound away."""

    valid_from = serializers.DateTimeField(required=False, allow_null=True)
    valid_to = serializers.DateTimeField(required=False, allow_null=True)
    expires_at = serializers.DateTimeField(required=False, allow_null=True)


class MemoryInput(TimesInput):
    """The body of `POST memories`."""

    content = TextField()
    kind = serializers.ChoiceField(Kind.choices, required=False)
    source = serializers.ChoiceField(Source.choices, required=False)  # type: ignore[assignment]  # a field named like an option
    tags = serializers.ListField(child=TagField(), max_length=MAX_TAGS, required=False)
    importance = NumberField(min_value=0, max_value=1, required=False)
    confidence = NumberField(min_value=0, max_value=1, required=False)


class EditInput(TimesInput):
    """The body of `PATCH memories/{id}`: any of these, at least one."""

    json_rules = {"minProperties": 1}

    content = TextField(required=False)
    tags = serializers.ListField(child=TagField(), max_length=MAX_TAGS, required=False)
    importance = NumberField(min_value=0, max_value=1, required=False)
    confidence = NumberField(min_value=0, max_value=1, required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if not attrs:
            raise serializers.ValidationError("Name at least one field to change.", code="empty")
        if "tags" in attrs:
            attrs["tags"] = sorted(set(attrs["tags"]))
        return attrs


class ForgetInput(StrictSerializer):
    """The body of `DELETE memories/{id}`; `force` forgets a pinned memory too."""

    force = FlagField(required=False)


class ForgetQuery(StrictSerializer):
    """The same in the query string, for clients that cannot send a body with DELETE."""

    force = serializers.BooleanField(default=False)


class SuppressInput(StrictSerializer):
    """The body of `POST memories/{id}/suppress`; the reason is shown to whoever wonders later."""

    reason = TextField(max_length=500, required=False, allow_blank=True)


class NothingInput(StrictSerializer):
    """An empty body."""


class WeightInput(StrictSerializer):
    """The body of `POST memories/{id}/weight`."""

    delta = NumberField(min_value=-10, max_value=10)
    times_referenced = WholeNumberField(min_value=0, max_value=2**31 - 1, required=False)


class FilterInput(StrictSerializer):
    """The filters of a search."""

    kinds = serializers.ListField(child=serializers.ChoiceField(Kind.choices), required=False)
    tags = serializers.ListField(child=TagField(), max_length=MAX_TAGS, required=False)
    sources = serializers.ListField(child=serializers.ChoiceField(Source.choices), required=False)
    pinned = FlagField(required=False, allow_null=True)
    created_after = serializers.DateTimeField(required=False, allow_null=True)
    created_before = serializers.DateTimeField(required=False, allow_null=True)
    as_of = serializers.DateTimeField(required=False, allow_null=True)


FILTERS = tuple(FilterInput().get_fields())


class MemorySearchInput(FilterInput):
    """The body of `POST memories/search`. Filters stand beside the query or together under `filters`."""

    query = SpokenField(max_length=MAX_QUERY_CHARACTERS)
    limit = WholeNumberField(min_value=1, max_value=200, required=False)
    mode = serializers.ChoiceField(MODES, required=False)
    filters = FilterInput(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Split what to look for from what to narrow it to (`narrow`)."""
        narrow = {**attrs.pop("filters", {})}
        narrow.update({name: attrs.pop(name) for name in FILTERS if name in attrs})
        return {**attrs, "narrow": narrow}


class MemoryListInput(StrictSerializer):
    """The query string of `GET memories`; `limit` and `cursor` belong to the pages."""

    kinds = CommaSeparatedField(child=serializers.ChoiceField(Kind.choices), required=False)
    tags = CommaSeparatedField(child=TagField(), required=False)
    sources = CommaSeparatedField(child=serializers.ChoiceField(Source.choices), required=False)
    pinned = ChosenField()
    created_after = serializers.DateTimeField(required=False)
    created_before = serializers.DateTimeField(required=False)
    as_of = serializers.DateTimeField(required=False)
    limit = serializers.CharField(required=False)
    cursor = serializers.CharField(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in attrs.items() if name not in {"limit", "cursor"}}
