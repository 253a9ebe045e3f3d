"""Graphs of Graphiti and Zep: entity nodes, edges with a fact each, and episodes, in lists or one by one. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from workspace_memory.importing.items import (
    EdgeItem,
    Item,
    MemoryItem,
    MessageItem,
    NodeItem,
    Skipped,
    check_memory,
    check_message,
    check_node,
    moment,
    one_line,
    rows_of,
    space_of,
    table_of,
    tags_of,
    text_of,
    type_of,
)

LISTS = ("nodes", "edges", "episodes", "messages")
# What a partition is called where none was named.
NO_GROUP = frozenset({"", "_", "\\_", "default"})
ROLES = {"user": "user", "assistant": "assistant", "system": "system", "tool": "tool", "function": "tool"}
GENERAL = frozenset({"Entity", "Node"})


def items(value: Any, where: str, *, space: str = "") -> Iterator[Item]:
    """What one element of the file holds; `user_id` next to lists says whose they are, `group_id` on each which part.

    An edge becomes a memory of its fact, with the times from and to which it holds, and as long as it holds an edge.
    """
    entry = table_of(value)
    if "uuid" not in entry and any(isinstance(entry.get(name), list) for name in LISTS):  # an edge lists episodes, too
        space = space_of("user", text_of(entry.get("user_id"))) or space
        for name in LISTS:
            for place, one in enumerate(rows_of(entry.get(name))):
                yield from items(one, f"{where}.{name}[{place}]", space=space)
        return
    group = text_of(entry.get("group_id"))
    space = space or space_of("group", "" if group in NO_GROUP else group)
    if text_of(entry.get("source_node_uuid")) and text_of(entry.get("target_node_uuid")):
        yield from _edge(entry, where, space)
    elif "content" in entry:
        yield _episode(entry, where, space)
    elif text_of(entry.get("name")) and text_of(entry.get("uuid")):
        yield from _node(entry, where, space)
    else:
        yield Skipped(where, "no_entity", "It is neither a node nor an edge nor an episode of Graphiti.")


def _key(uuid: str) -> str:
    return f"graphiti/{one_line(uuid)}"[:200]


def _node(entry: dict[str, Any], where: str, space: str) -> Iterator[Item]:
    labels = [one for one in rows_of(entry.get("labels")) if isinstance(one, str) and one not in GENERAL]
    summary = text_of(entry.get("summary")).strip()
    properties = {**table_of(entry.get("attributes")), **({"summary": summary} if summary else {})}
    kind, name = (labels or [""])[0].lower(), text_of(entry["name"])
    yield from check_node(NodeItem(_key(text_of(entry["uuid"])), kind, name, properties, space=space, where=where))


def _edge(entry: dict[str, Any], where: str, space: str) -> Iterator[Item]:
    word = type_of(text_of(entry.get("name")).lower(), "related")
    starts = moment(entry.get("valid_at"))
    ends = moment(entry.get("invalid_at")) or moment(entry.get("expired_at"))
    if fact := text_of(entry.get("fact")):
        made, tags = moment(entry.get("created_at")), tags_of("graphiti", word)
        memory = MemoryItem(fact, tags, made, space=space, valid_from=starts, valid_to=ends)
        yield check_memory(where, memory)
    if ends:
        kept = "its fact is kept as a memory that is no longer valid" if fact else "it has no fact"
        yield Skipped(where, "ended_relation", f"The relation {word} ended on {ends.date().isoformat()}; {kept}.")
        return
    properties = dict(table_of(entry.get("attributes")))
    if starts:
        properties["since"] = starts.date().isoformat()
    source, target = (_key(text_of(entry[f"{end}_node_uuid"])) for end in ("source", "target"))
    yield EdgeItem(word, source, target, properties, space=space, where=where)


def _episode(entry: dict[str, Any], where: str, space: str) -> Item:
    """What was said, as a message of its thread; other episodes are what a tool brought, of their description."""
    is_said = bool(text_of(entry.get("role"))) or entry.get("source") == "message"
    role = ROLES.get(text_of(entry.get("role")), "user") if is_said else "tool"
    about = text_of(entry.get("thread_uuid")) or text_of(entry.get("thread_id")) or text_of(entry.get("session_id"))
    thread = one_line(about or text_of(entry.get("source_description"))) or "episodes"
    name = text_of(entry.get("role_name")) or ("" if role == "tool" else text_of(entry.get("name")))
    times = (entry.get("reference_time"), entry.get("valid_at"), entry.get("created_at"))
    at = next(filter(None, map(moment, times)), None)
    key = one_line(text_of(entry.get("uuid")))[:200] or where
    conversation, content = f"graphiti/{thread}"[:200], text_of(entry.get("content"))
    message = MessageItem(conversation, key, role, content, name=one_line(name)[:120], at=at, space=space)
    return check_message(where, message)
