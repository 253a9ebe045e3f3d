"""What the REST doors of this app accept, field by field."""

from __future__ import annotations

from typing import Any

from core.http.fields import (
    NumberField,
    ObjectField,
    SpokenField,
    StorableField,
    StrictSerializer,
    TextField,
    WholeNumberField,
)
from core.text import has_invisible_characters, is_one_line
from core.text.refusals import INVISIBLE_CHARACTERS
from memory.memories.schemas import MAX_QUERY_CHARACTERS
from memory.working_memory.slot_limits import MAX_ITEMS, MAX_MEGABYTES, MAX_TTL_SECONDS

MAX_USER_MEMORY_CHARACTERS = 16_000


class SectionsField(ObjectField):
    """An object of texts by heading, each heading one line."""

    default_error_messages = {
        "sections": "Give texts by heading; a heading is one line of at most 120 characters.",
        "invisible_characters": INVISIBLE_CHARACTERS,
    }

    def to_internal_value(self, data: Any) -> dict[str, str]:
        sections = super().to_internal_value(data)
        if not sections or not all(map(_is_section, sections.items())):
            self.fail("sections")
        if any(has_invisible_characters(f"{heading}\n{text}") for heading, text in sections.items()):
            self.fail("invisible_characters")
        return sections


def _is_section(section: tuple[str, Any]) -> bool:
    heading, text = section
    return (
        isinstance(text, str)
        and heading == heading.strip()
        and bool(heading)
        and is_one_line(heading)
        and len(heading) <= 120
    )


class LimitsInput(StrictSerializer):
    """What a writing may say about its slot."""

    ttl_seconds = WholeNumberField(min_value=1, max_value=MAX_TTL_SECONDS, required=False)
    max_items = WholeNumberField(min_value=1, max_value=MAX_ITEMS, required=False)
    max_size_mb = NumberField(min_value=0.000001, max_value=MAX_MEGABYTES, required=False)
    schema_version = WholeNumberField(min_value=1, max_value=1_000_000, required=False)


class SlotInput(LimitsInput):
    """The body of `PUT slots/{tier}/{name}`; a list is kept as items."""

    value = StorableField(allow_null=True)


class ItemInput(LimitsInput):
    """The body of `POST slots/{tier}/{name}/append`."""

    item = StorableField(allow_null=True)


class SlotSearchInput(StrictSerializer):
    """The body of `POST slots/{tier}/{name}/search`."""

    query = SpokenField(max_length=MAX_QUERY_CHARACTERS)
    limit = WholeNumberField(min_value=1, max_value=200, default=5)


class UserMemoryInput(StrictSerializer):
    """The body of `PUT users/{user}/memory`: all of it, in Markdown."""

    content = TextField(max_length=MAX_USER_MEMORY_CHARACTERS)


class UserSectionsInput(StrictSerializer):
    """The body of `PATCH users/{user}/memory`: texts by heading; an empty text takes its section out."""

    sections = SectionsField()
