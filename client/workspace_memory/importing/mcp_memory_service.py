"""The JSON export of mcp-memory-service: `export_metadata` and `memories`. Pure."""

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
    rows_of,
    table_of,
    tags_of,
    text_of,
)


def memories(value: Any, where: str) -> Iterator[Item]:
    """The memories of one element of the file; type, store and what is short in its metadata become tags."""
    if not isinstance(listed := table_of(value).get("memories"), list):
        yield from _memory(table_of(value), where)
        return
    for place, one in enumerate(listed):
        yield from _memory(table_of(one), f"{where}.memories[{place}]")


def _memory(memory: dict[str, Any], where: str) -> Iterator[Item]:
    text = text_of(memory.get("content"))
    if not text:
        yield Skipped(where, "no_memory", "It has no text under `content`: not a memory of mcp-memory-service.")
        return
    given = memory.get("tags")
    own = [one for one in rows_of(given) if isinstance(one, str)] or text_of(given).split(",")
    kind, store = text_of(memory.get("memory_type")), text_of(memory.get("store"))
    tags = tags_of(
        "mcp-memory-service",
        f"type:{kind}" if kind else "",
        f"store:{store}" if store not in {"", "default"} else "",
        *own,
    )
    more, left = metadata_tags(table_of(memory.get("metadata")), taken=len(tags))
    times = _time(memory, "created_at"), _time(memory, "updated_at")
    yield check_memory(where, MemoryItem(text, (*tags, *more), *times))
    yield from not_kept(where, left)


def _time(memory: dict[str, Any], name: str) -> Any:
    return moment(memory.get(name)) or moment(memory.get(f"{name}_iso"))
