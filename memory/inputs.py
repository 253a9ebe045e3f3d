"""What the REST doors of this app accept, field by field."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from core.http.fields import (
    ChosenField,
    CommaSeparatedField,
    FlagField,
    NumberField,
    ObjectField,
    StorableField,
    StrictSerializer,
    TextField,
    WholeNumberField,
)
from memory.models import Kind, RunStatus, Source
from memory.slots import MOST_ITEMS, MOST_MEGABYTES, MOST_TTL_SECONDS
from workspaces.switches import CONSOLIDATION_LIMITS

MOST_TAGS = 20
MOST_QUERY_CHARACTERS = 4_000
# Twenty times what an answer usually has; a citation behind it would be cut off, so it is refused instead.
MOST_OUTPUT_CHARACTERS = 1_000_000
MOST_USER_MEMORY_CHARACTERS = 16_000
MODES = ("hybrid", "keyword", "semantic")


NOT_A_TAG = "One line without commas; several tags are several items."


def is_tag(text: str) -> bool:
    """Whether a text can be a tag: one line, without the comma that separates tags in addresses and forms."""
    return "," not in text and len(text.splitlines()) == 1


class TagField(TextField):
    """A tag of 1 to 64 characters."""

    default_error_messages = {"not_a_tag": NOT_A_TAG}
    json_pattern = r"^[^\s,\u0000-\u001f]([^,\u0000-\u001f\u0085\u2028\u2029]*[^\s,\u0000-\u001f])?$"

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=64, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        tag = super().to_internal_value(data)
        if not is_tag(tag):
            self.fail("not_a_tag")
        return tag


class SectionsField(ObjectField):
    """An object of texts by heading, each heading one line."""

    default_error_messages = {"sections": "Give texts by heading; a heading is one line of at most 120 characters."}

    def to_internal_value(self, data: Any) -> dict[str, str]:
        sections = super().to_internal_value(data)
        if not sections or not all(map(_is_section, sections.items())):
            self.fail("sections")
        return sections


def _is_section(section: tuple[str, Any]) -> bool:
    heading, text = section
    return isinstance(text, str) and heading.splitlines() == [heading.strip()] and len(heading) <= 120


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
    tags = serializers.ListField(child=TagField(), max_length=MOST_TAGS, required=False)
    importance = NumberField(min_value=0, max_value=1, required=False)
    confidence = NumberField(min_value=0, max_value=1, required=False)


class EditInput(TimesInput):
    """The body of `PATCH memories/{id}`: any of these, at least one."""

    json_rules = {"minProperties": 1}

    content = TextField(required=False)
    tags = serializers.ListField(child=TagField(), max_length=MOST_TAGS, required=False)
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
    tags = serializers.ListField(child=TagField(), max_length=MOST_TAGS, required=False)
    sources = serializers.ListField(child=serializers.ChoiceField(Source.choices), required=False)
    pinned = FlagField(required=False, allow_null=True)
    created_after = serializers.DateTimeField(required=False, allow_null=True)
    created_before = serializers.DateTimeField(required=False, allow_null=True)
    as_of = serializers.DateTimeField(required=False, allow_null=True)


FILTERS = tuple(FilterInput().get_fields())


class SearchInput(FilterInput):
    """The body of `POST memories/search`. Filters stand beside the query or together under `filters`."""

    query = TextField(max_length=MOST_QUERY_CHARACTERS)
    limit = WholeNumberField(min_value=1, max_value=200, required=False)
    mode = serializers.ChoiceField(MODES, required=False)
    filters = FilterInput(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Split what to look for from what to narrow it to (`narrow`)."""
        narrow = {**attrs.pop("filters", {})}
        narrow.update({name: attrs.pop(name) for name in FILTERS if name in attrs})
        return {**attrs, "narrow": narrow}


class ListInput(StrictSerializer):
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


class RunInput(StrictSerializer):
    """The body of `POST runs`."""

    agent = TextField(max_length=120)
    conversation = TextField(max_length=200, required=False, allow_blank=True)


class FinishInput(StrictSerializer):
    """The body of `POST runs/{id}/finish`."""

    status = serializers.ChoiceField([choice for choice in RunStatus.choices if choice[0] != RunStatus.RUNNING])
    output = TextField(max_length=MOST_OUTPUT_CHARACTERS, required=False, allow_blank=True, trim_whitespace=False)


class ConsolidationInput(StrictSerializer):
    """The body of `POST conversations/{c}/consolidate`; what it does not name is as in the workspace's settings."""

    retain_last = WholeNumberField(
        min_value=CONSOLIDATION_LIMITS["retain_last"][0],
        max_value=CONSOLIDATION_LIMITS["retain_last"][1],
        required=False,
    )
    max_age_days = WholeNumberField(
        min_value=CONSOLIDATION_LIMITS["max_age_days"][0],
        max_value=CONSOLIDATION_LIMITS["max_age_days"][1],
        required=False,
    )


class WindowInput(StrictSerializer):
    """The query string of `GET conversations/{c}/window`."""

    last = serializers.IntegerField(min_value=1, max_value=200, default=20)


class LimitsInput(StrictSerializer):
    """What a writing may say about its slot."""

    ttl_seconds = WholeNumberField(min_value=1, max_value=MOST_TTL_SECONDS, required=False)
    max_items = WholeNumberField(min_value=1, max_value=MOST_ITEMS, required=False)
    max_size_mb = NumberField(min_value=0.000001, max_value=MOST_MEGABYTES, required=False)
    schema_version = WholeNumberField(min_value=1, max_value=1_000_000, required=False)


class SlotInput(LimitsInput):
    """The body of `PUT slots/{tier}/{name}`; a list is kept as items."""

    value = StorableField(allow_null=True)


class ItemInput(LimitsInput):
    """The body of `POST slots/{tier}/{name}/append`."""

    item = StorableField(allow_null=True)


class SlotSearchInput(StrictSerializer):
    """The body of `POST slots/{tier}/{name}/search`."""

    query = TextField(max_length=MOST_QUERY_CHARACTERS)
    limit = WholeNumberField(min_value=1, max_value=200, default=5)


class UserMemoryInput(StrictSerializer):
    """The body of `PUT users/{user}/memory`: all of it, in Markdown."""

    content = TextField(max_length=MOST_USER_MEMORY_CHARACTERS)


class UserSectionsInput(StrictSerializer):
    """The body of `PATCH users/{user}/memory`: texts by heading; an empty text takes its section out."""

    sections = SectionsField()
