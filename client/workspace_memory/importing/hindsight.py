"""Hindsight's memory units, as its API lists them: under `items`, or alone. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from workspace_memory.importing.items import (
    Item,
    MemoryItem,
    Skipped,
    check_memory,
    metadata_tags,
    moment,
    not_kept,
    one_line,
    rows_of,
    table_of,
    tags_of,
    text_of,
)

INVALID = "invalidated"


def memories(value: Any, where: str) -> Iterator[Item]:
    """The memory units of one element of the file.

    Kinds, entities and tags become tags, and so does the day of an event; what was invalidated is no longer valid.
    """
    if not isinstance(listed := table_of(value).get("items"), list):
        yield from _unit(table_of(value), where)
        return
    for place, one in enumerate(listed):
        yield from _unit(table_of(one), f"{where}.items[{place}]")


def _unit(unit: dict[str, Any], where: str) -> Iterator[Item]:
    text = text_of(unit.get("text"))
    if not text:
        yield Skipped(where, "no_memory", "It has no text under `text`: it is not a memory unit of Hindsight.")
        return
    ended = moment(unit.get("invalidated_at"))
    if unit.get("state") == INVALID and ended is None:
        reason = one_line(text_of(unit.get("invalidation_reason")))
        yield Skipped(where, "no_longer_valid", f"It was invalidated{f': {reason}' if reason else '.'}")
        return
    own = [one for one in rows_of(unit.get("tags")) if isinstance(one, str)]
    entities = [one for one in text_of(unit.get("entities")).split(",") if one.strip()]
    happened = moment(unit.get("occurred_start"))
    day = [f"on:{happened.date().isoformat()}"] if happened else []
    tags = tags_of("hindsight", text_of(unit.get("fact_type")), *day, *own, *entities)
    further = {"context": unit.get("context")} | table_of(unit.get("metadata"))
    more, left = metadata_tags(further, taken=len(tags))
    at = moment(unit.get("mentioned_at")) or moment(unit.get("date"))
    changed_at = moment(unit.get("edited_at")) or moment(unit.get("updated_at"))
    yield check_memory(where, MemoryItem(text, (*tags, *more), at, changed_at, valid_to=ended))
    yield from not_kept(where, left)
