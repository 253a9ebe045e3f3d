"""mem0's export: memories as a list, or under `results` or `memories`, with `relations`. Pure."""

from __future__ import annotations

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
    day_after,
    metadata_tags,
    moment,
    not_kept,
    rows_of,
    space_of,
    table_of,
    tags_of,
    text_of,
    type_of,
)

OWNERS = {"user_id": "user", "agent_id": "agent", "run_id": "run", "app_id": "app", "actor_id": "actor"}
KEPT = frozenset({"memory", "text", "data", "created_at", "updated_at", "expiration_date", "categories", "metadata"})
# What mem0 computes for itself: it says nothing about the memory.
COMPUTED = frozenset({"id", "hash", "score", "event", "embedding", "text_lemmatized", "structured_attributes"})


def unwrapped(value: Any, where: str) -> list[tuple[str, Any]]:
    """The memories of a whole file's value, whichever of its three shapes it has, each with its place; else the value
    as the only one."""
    for name in ("results", "memories"):
        if isinstance(listed := table_of(value).get(name), list):
            return [(f"{where}.{name}[{place}]", one) for place, one in enumerate(listed)]
    return [(where, value)]


def memories(value: Any, where: str) -> Iterator[Item]:
    """The memories and relations of one element of the file.

    Each goes into the space of its user, else of its agent; its times and its expiry stay, and its categories and what
    is short in its metadata become tags.
    """
    given = unwrapped(value, where)
    for place, one in given:
        yield from _memory(one, place)
    if relations := rows_of(table_of(value).get("relations")):
        owners = {_space(table_of(one)) for _, one in given if table_of(one)}
        yield from _relations(relations, f"{where}.relations", owners)


def _space(memory: dict[str, Any]) -> str:
    return space_of("user", text_of(memory.get("user_id"))) or space_of("agent", text_of(memory.get("agent_id")))


def _memory(value: Any, where: str) -> Iterator[Item]:
    memory = table_of(value)
    text = text_of(memory.get("memory")) or text_of(memory.get("text")) or text_of(memory.get("data"))
    if not memory or not text:
        yield Skipped(where, "no_memory", "It has no text under `memory`: it is not a memory of mem0.")
        return
    space = _space(memory)
    owners = [f"{word}:{memory[name]}" for name, word in OWNERS.items() if text_of(memory.get(name))]
    categories = [one for one in rows_of(memory.get("categories")) if isinstance(one, str)]
    tags = tags_of("mem0", *(owner for owner in owners if owner != space), *categories)
    further = {name: one for name, one in memory.items() if name not in KEPT | COMPUTED | OWNERS.keys()}
    more, left = metadata_tags({**table_of(memory.get("metadata")), **further}, taken=len(tags))
    times = moment(memory.get("created_at")), moment(memory.get("updated_at"))
    expires_at = day_after(memory.get("expiration_date"))
    yield check_memory(where, MemoryItem(text, (*tags, *more), *times, space=space, expires_at=expires_at))
    yield from not_kept(where, left)


def _relations(relations: list[Any], where: str, owners: set[str]) -> Iterator[Item]:
    """What mem0's graph says; it names no owner, so that of the memories next to it is taken, where that is one."""
    if len(owners) > 1:
        yield Skipped(where, "no_owner", f"Relations of several users that name none: {len(relations)}.")
        return
    space = next(iter(owners), "")
    for place, value in enumerate(relations):
        here, relation = f"{where}[{place}]", table_of(value)
        ends = text_of(relation.get("source")), text_of(relation.get("target") or relation.get("destination"))
        word = text_of(relation.get("relationship") or relation.get("relation"))
        if not (all(ends) and word):
            yield Skipped(here, "no_relation", "It has no source, relationship or target.")
            continue
        for end in ends:
            yield from check_node(NodeItem(f"mem0/{end}"[:200], "entity", end, space=space, where=here))
        source, target = (f"mem0/{end}"[:200] for end in ends)
        yield EdgeItem(type_of(word, "related"), source, target, space=space, where=here)
