"""Letta's agent files (`.af`): agents with their messages, memory blocks, and passages of archival memory. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from workspace_memory.importing import markdown
from workspace_memory.importing.items import (
    Item,
    MemoryItem,
    MessageItem,
    Skipped,
    check_memory,
    check_message,
    metadata_tags,
    moment,
    not_kept,
    one_line,
    rows_of,
    table_of,
    tags_of,
    text_of,
    texts,
)

# The tool with which agents of older versions speak.
SPEAK = "send_message"
# Messages that Letta writes to an agent in the user's place.
NOTICES = frozenset({"heartbeat", "login", "system_alert"})


def items(value: Any, where: str) -> Iterator[Item]:
    """What an agent file holds; alone, or in a list, also blocks and passages as the API lists them."""
    entry = table_of(value)
    if isinstance(entry.get("agents"), list):
        yield from _file(entry, where)
    elif text_of(entry.get("label")) and isinstance(entry.get("value"), str):
        yield from _block(entry, where, "")
    elif isinstance(entry.get("messages"), list) or isinstance(entry.get("core_memory"), list):
        yield from _agent(entry, where)
    elif isinstance(entry.get("text"), str):
        yield from _passage(entry, where, "")
    else:
        yield Skipped(where, "no_memory", "It is neither an agent nor a block nor a passage of Letta.")


def _file(entry: dict[str, Any], where: str) -> Iterator[Item]:
    owners: dict[str, str] = {}
    for place, value in enumerate(rows_of(entry.get("agents"))):
        agent = table_of(value)
        for block in rows_of(agent.get("block_ids")):
            owners.setdefault(text_of(block), text_of(agent.get("name")))
        yield from _agent(agent, f"{where}.agents[{place}]")
    for place, value in enumerate(rows_of(entry.get("blocks"))):
        block = table_of(value)
        yield from _block(block, f"{where}.blocks[{place}]", owners.get(text_of(block.get("id")), ""))
    for place, value in enumerate(rows_of(entry.get("passages"))):
        yield from _passage(table_of(value), f"{where}.passages[{place}]", "")
    for name in ("files", "tools", "mcp_servers", "skills"):
        if left := rows_of(entry.get(name)):
            yield Skipped(f"{where}.{name}", "no_memory", f"Not memory but {name} of the agent: {len(left)}.")


def _agent(agent: dict[str, Any], where: str) -> Iterator[Item]:
    name = text_of(agent.get("name"))
    for list_name in ("core_memory", "memory_blocks"):  # of files from before blocks stood next to the agents
        for place, value in enumerate(rows_of(agent.get(list_name))):
            yield from _block(table_of(value), f"{where}.{list_name}[{place}]", name)
    # Ids of a file are those of the file ("message-0"): the name tells agents of several files apart.
    conversation = f"letta/{one_line(name) or text_of(agent.get('id')) or 'agent'}"[:200]
    for place, value in enumerate(rows_of(agent.get("messages"))):
        yield _message(table_of(value), f"{where}.messages[{place}]", conversation, place)


def _block(block: dict[str, Any], where: str, agent: str) -> Iterator[Item]:
    label, text = text_of(block.get("label")), text_of(block.get("value"))
    if not text.strip():
        yield Skipped(where, "no_text", f"The block {one_line(label)} is empty.")
        return
    tags = tags_of("letta", f"block:{label}" if label else "", f"agent:{agent}" if agent else "")
    more, left = metadata_tags(table_of(block.get("metadata")), taken=len(tags))
    times = moment(block.get("created_at")), moment(block.get("updated_at"))
    yield from markdown.pieces(text, where, MemoryItem("", (*tags, *more), *times), title=one_line(label))
    yield from not_kept(where, left)


def _passage(passage: dict[str, Any], where: str, agent: str) -> Iterator[Item]:
    if passage.get("is_deleted") is True:
        yield Skipped(where, "no_longer_valid", "It was deleted in Letta.")
        return
    own = [one for one in rows_of(passage.get("tags")) if isinstance(one, str)]
    tags = tags_of("letta", "archival", f"agent:{agent}" if agent else "", *own)
    more, left = metadata_tags(table_of(passage.get("metadata")), taken=len(tags))
    times = moment(passage.get("created_at")), moment(passage.get("updated_at"))
    yield check_memory(where, MemoryItem(text_of(passage.get("text")), (*tags, *more), *times))
    yield from not_kept(where, left)


def _message(message: dict[str, Any], where: str, conversation: str, place: int) -> Item:
    """What the user or the agent said; instructions, tool calls and their results are left out."""
    role = text_of(message.get("role"))
    if role == "system":
        return Skipped(where, "hidden", "They are the instructions of the agent.")
    text = _spoken(message) if role == "assistant" else ""
    text = text or "\n".join(filter(None, texts(message.get("content")))) or text_of(message.get("text"))
    if role == "user":
        text, kind = _unpacked(text)
        if kind in NOTICES:
            return Skipped(where, "no_message", "It is a notice of Letta to the agent.")
    if role not in {"user", "assistant"}:
        code = "tool_or_thought" if role in {"tool", "approval", "function"} else "unknown_role"
        return Skipped(where, code, "Neither the user nor the agent said it.")
    if not text.strip() and rows_of(message.get("tool_calls")):
        return Skipped(where, "tool_or_thought", "It calls a tool.")
    # The time makes the key of the file's own id ("message-0") one of this agent's.
    key = f"{text_of(message.get('id')) or place} {text_of(message.get('created_at'))}".strip()[:200]
    return check_message(where, MessageItem(conversation, key, role, text, at=moment(message.get("created_at"))))


def _spoken(message: dict[str, Any]) -> str:
    """What the agent says with a tool."""
    said = []
    for value in rows_of(message.get("tool_calls")):
        call = table_of(table_of(value).get("function"))
        if call.get("name") == SPEAK:
            said.append(text_of(_object(text_of(call.get("arguments"))).get("message")))
    return "\n".join(filter(None, said))


def _unpacked(text: str) -> tuple[str, str]:
    """What the user said, out of the JSON that older versions pack it into, and the kind of the message there."""
    packed = _object(text) if text.lstrip().startswith("{") else {}
    if isinstance(packed.get("message"), str) and isinstance(packed.get("type"), str):
        return packed["message"], packed["type"]
    return text, text_of(packed.get("type"))


def _object(text: str) -> dict[str, Any]:
    try:
        return table_of(json.loads(text))
    except (ValueError, RecursionError):
        return {}
