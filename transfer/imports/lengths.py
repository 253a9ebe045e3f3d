"""How long the texts of an imported record may be, and which are one line: what the doors take, and room for what
other versions made."""

from __future__ import annotations

import json
from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.db import connection
from django.db.models import CharField, Field, IntegerField, JSONField, Model, TextField

from conversations.messages.services.message_log import MAX_CHARACTERS as MAX_MESSAGE_CHARACTERS
from conversations.models import Message
from memory.memories.schemas import MAX_TAGS
from memory.models import SlotItem
from memory.working_memory.slot_limits import BYTES_OF_A_MB, MAX_MEGABYTES

# Memories, properties and pages of users have at most 16,000 where they are written.
MAX_TEXT_CHARACTERS = 32_000
MAX_DESCRIPTION_CHARACTERS = 32_000  # of JSON that says what a thing is like, which contexts and pages show
MAX_STATE_CHARACTERS = 131_072  # of JSON that says how a row was before a change, which histories show
MAX_RECORD_CHARACTERS = 1_048_576  # of JSON that the server writes: what was chosen, what a merge moved
MAX_ELEMENTS = 10_000  # of a list, but for those in ELEMENTS
ELEMENTS = {"tags": MAX_TAGS}
DESCRIPTIONS = frozenset({"properties", "provenance", "metadata", "scope"})
STATES = frozenset({"before"})
BY_TABLE: dict[type[Model], int] = {Message: MAX_MESSAGE_CHARACTERS, SlotItem: MAX_MEGABYTES * BYTES_OF_A_MB}
# Short texts that may have line breaks where they are written.
MANY_LINES = frozenset(
    {
        "space.title",
        "nodetype.description",
        "edgetype.description",
        "memory.suppressed_reason",
        "conversation.title",
        "message.session",
        "modelprovider.base_url",
        "promptrun.outcome",
        "pattern.recommendation",
        "pattern.annotation",
    }
)
# Who wrote something, next to the columns that end in `_by`: an app that connects brings its own name.
SIGNATURES = frozenset({"actor_label", "author", "reporter"})


def is_line(field: Field[Any, Any]) -> bool:
    """Return whether the texts of a column are one line: short ones are, unless a door takes more."""
    is_signature = field.name in SIGNATURES or field.name.endswith("_by")
    takes_more = f"{field.model._meta.model_name}.{field.name}" in MANY_LINES
    return isinstance(field, CharField) and not is_signature and not takes_more


def max_characters(field: Field[Any, Any]) -> int | None:
    """Return how many characters a value of the column may have, as JSON for one of JSON; None without a limit here."""
    if isinstance(field, TextField):
        return BY_TABLE.get(field.model, MAX_TEXT_CHARACTERS)
    if isinstance(field, JSONField):
        if field.name in DESCRIPTIONS:
            return MAX_DESCRIPTION_CHARACTERS
        if field.name in STATES:
            return MAX_STATE_CHARACTERS
        return BY_TABLE.get(field.model, MAX_RECORD_CHARACTERS)
    return None


def is_too_large(field: Field[Any, Any], value: Any) -> bool:
    """Return whether a whole number leaves no room for what is counted on from it: half of its column's range."""
    if not isinstance(field, IntegerField):
        return False
    _, last = connection.ops.integer_field_range(field.get_internal_type())
    return bool(last) and value > last // 2


def is_too_long(field: Field[Any, Any], value: Any) -> bool:
    """Return whether a value, which has the shape of the column, is longer than the column may be."""
    if isinstance(field, ArrayField) and isinstance(value, list):
        return len(value) > ELEMENTS.get(field.name, MAX_ELEMENTS)
    limit = max_characters(field)
    if limit is None or value is None:
        return False
    return len(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)) > limit
