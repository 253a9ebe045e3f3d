"""mem0's export: memories as a list, or under `results` or `memories`. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from workspace_memory.importing.items import (
    Item,
    MemoryItem,
    Skipped,
    check_memory,
    moment,
    rows_of,
    table_of,
    tag,
    text_of,
)

OWNERS = {"user_id": "user", "agent_id": "agent", "run_id": "run"}


def unwrapped(value: Any) -> list[Any]:
    """The memories of a whole file's value, whichever of its three shapes it has; else the value as the only one."""
    for name in ("results", "memories"):
        if isinstance(table_of(value).get(name), list):
            return rows_of(value[name])
    return [value]


def memories(value: Any, where: str) -> Iterator[Item]:
    """The memories of one element of the file; whose they are and their categories become tags, their times stay."""
    for place, given in enumerate(unwrapped(value)):
        here, memory = f"{where}.{place}", table_of(given)
        text = text_of(memory.get("memory")) or text_of(memory.get("text")) or text_of(memory.get("data"))
        if not memory or not text:
            yield Skipped(here, "no_memory", "It has no text under `memory`: it is not a memory of mem0.")
            continue
        owners = [f"{word}:{memory[name]}" for name, word in OWNERS.items() if text_of(memory.get(name))]
        categories = [one for one in rows_of(memory.get("categories")) if isinstance(one, str)]
        tags = dict.fromkeys(filter(None, map(tag, ["mem0", *owners, *categories])))
        times = moment(memory.get("created_at")), moment(memory.get("updated_at"))
        yield check_memory(here, MemoryItem(text, tuple(tags)[:20], *times))
