"""The file of the MCP reference memory server: a graph as JSON Lines, an entity or a relation each. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from workspace_memory.importing.items import (
    EdgeItem,
    Item,
    MemoryItem,
    NodeItem,
    Skipped,
    check_memory,
    check_node,
    one_line,
    rows_of,
    table_of,
    tags_of,
    text_of,
    type_of,
)

# What the server takes of a node's properties is a little more.
MAX_CHARACTERS_OF_OBSERVATIONS = 15_000


def items(value: Any, where: str) -> Iterator[Item]:
    """The node of an entity, with its observations, or the edge of a relation; both for a graph in one object."""
    entry = table_of(value)
    if isinstance(entry.get("entities"), list) or isinstance(entry.get("relations"), list):
        for name in ("entities", "relations"):
            for place, one in enumerate(rows_of(entry.get(name))):
                yield from items(one, f"{where}.{name}[{place}]")
    elif text_of(entry.get("name")) and "relationType" not in entry:
        yield from _entity(entry, where)
    elif text_of(entry.get("from")) and text_of(entry.get("to")):
        word = type_of(text_of(entry.get("relationType")), "related")
        yield EdgeItem(word, _key(text_of(entry["from"])), _key(text_of(entry["to"])), where=where)
    else:
        yield Skipped(where, "no_entity", "It is neither an entity nor a relation of the memory server.")


def _key(name: str) -> str:
    return f"memory-graph/{one_line(name)}"[:200].strip()


def _entity(entry: dict[str, Any], where: str) -> Iterator[Item]:
    name = text_of(entry["name"])
    observations = [text for one in rows_of(entry.get("observations")) if (text := text_of(one).strip())]
    fit, room = 0, MAX_CHARACTERS_OF_OBSERVATIONS
    for text in observations:
        room -= len(json.dumps(text)) + 2
        if room < 0:
            break
        fit += 1
    properties = {"observations": observations[:fit]} if fit else {}
    kind = text_of(entry.get("entityType"))
    yield from check_node(NodeItem(_key(name), kind, name, properties, where=where))
    for text in observations[fit:]:  # a node has room for so much; the rest are memories that name it
        yield check_memory(where, MemoryItem(f"{one_line(name)}: {text}", tags_of("memory-graph", kind)))
