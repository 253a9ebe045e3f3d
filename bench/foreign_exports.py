"""Exports of other products, of any size, as these products write them; each tells how many items are in it."""

from __future__ import annotations

import csv
import json
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

BEGIN = datetime(2026, 1, 1, 8, tzinfo=UTC)
TURNS = 20  # of a conversation
USERS = ("alice", "bob", "carol")


@dataclass(frozen=True, slots=True)
class WrittenExport:
    """A file, folder or archive, and the items in it that come in."""

    path: Path
    items: int


def _at(number: int) -> datetime:
    # Ten in the same second: their order is that of the file.
    return BEGIN + timedelta(seconds=number // 10)


def _stamp(number: int) -> str:
    return _at(number).isoformat().replace("+00:00", "Z")


def _said(number: int) -> str:
    return f"Shop {number} keeps oven {number * 7 % 1_000} at {150 + number % 90} degrees."


def _conversations(count: int) -> Iterator[tuple[str, range]]:
    for first in range(0, count, TURNS):
        yield f"c-{first}", range(first, min(first + TURNS, count))


def _chatgpt_conversation(key: str, numbers: range) -> dict[str, Any]:
    mapping: dict[str, Any] = {f"{key}-root": {"id": f"{key}-root", "message": None, "parent": None, "children": []}}
    parent = f"{key}-root"
    for number in numbers:
        node = f"{key}-{number}"
        mapping[parent]["children"].append(node)
        author: dict[str, Any] = {"role": "user" if number % 2 == 0 else "assistant", "name": None, "metadata": {}}
        content: dict[str, Any] = {"content_type": "text", "parts": [_said(number)]}
        if number % 11 == 3:
            speech = {"content_type": "audio_transcription", "text": _said(number), "direction": "in"}
            sound = {"content_type": "audio_asset_pointer", "asset_pointer": f"sediment://file_{number}"}
            content = {"content_type": "multimodal_text", "parts": [speech, sound]}
        message = {"id": f"m-{number}", "author": author, "create_time": _at(number).timestamp(), "content": content}
        mapping[node] = {"id": node, "message": message | {"metadata": {}}, "parent": parent, "children": []}
        parent = node
    times = {"create_time": _at(numbers[0]).timestamp(), "update_time": _at(numbers[-1]).timestamp()}
    return {"title": f"Ovens {key}", "conversation_id": key, "current_node": parent, "mapping": mapping, **times}


def write_chatgpt(folder: Path, count: int) -> WrittenExport:
    """Write a ZIP with conversations in several files, as it is downloaded."""
    path = folder / "chatgpt.zip"
    found = [_chatgpt_conversation(key, numbers) for key, numbers in _conversations(count)]
    at_once = max(1, -(-len(found) // 3))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for place, first in enumerate(range(0, len(found), at_once)):
            archive.writestr(f"conversations-{place:03}.json", json.dumps(found[first : first + at_once]))
        archive.writestr("user.json", json.dumps({"id": "u", "email": "alice@example.com"}))
        archive.writestr("chat.html", "<html></html>")
    return WrittenExport(path, count)


def write_claude(folder: Path, count: int) -> WrittenExport:
    """Write a ZIP with conversations, what Claude remembers, and a project."""
    path = folder / "claude.zip"
    found = [
        {
            "uuid": key,
            "name": f"Ovens {key}",
            "chat_messages": [
                {
                    "uuid": f"m-{number}",
                    "sender": "human" if number % 2 == 0 else "assistant",
                    "text": _said(number),
                    "content": [{"type": "text", "text": _said(number)}],
                    "created_at": _stamp(number),
                    "attachments": [],
                }
                for number in numbers
            ],
        }
        for key, numbers in _conversations(count - 2)
    ]
    memories = [
        {"conversations_memory": "**Work**\n\nAlice runs two shops.", "project_memories": {}, "account_uuid": "a"}
    ]
    project = {"uuid": "p-1", "name": "Ovens", "description": "", "prompt_template": "Answer in Celsius.", "docs": []}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations.json", json.dumps(found))
        archive.writestr("memories.json", json.dumps(memories))
        archive.writestr("projects/p-1.json", json.dumps(project))
    return WrittenExport(path, count)


def write_claude_code(folder: Path, count: int) -> WrittenExport:
    """Write a folder of session files."""
    path = folder / "projects"
    path.mkdir()
    for key, numbers in _conversations(count):
        lines = [
            json.dumps(
                {
                    "type": "user" if number % 2 == 0 else "assistant",
                    "uuid": f"u-{number}",
                    "sessionId": key,
                    "timestamp": _stamp(number),
                    "message": {"content": [{"type": "text", "text": _said(number)}]},
                }
            )
            for number in numbers
        ]
        (path / f"{key}.jsonl").write_text("\n".join(lines))
    return WrittenExport(path, count)


def write_mem0(folder: Path, count: int) -> WrittenExport:
    """Write memories of three users, who say the same now and then."""
    path = folder / "mem0.json"
    found = [
        {
            "id": str(number),
            "memory": _said(number - number % len(USERS)),
            "hash": "0",
            "user_id": USERS[number % len(USERS)],
            "metadata": {"shop": number % 5},
            "created_at": _stamp(number),
            "updated_at": None,
        }
        for number in range(count)
    ]
    path.write_text(json.dumps({"results": found}))
    return WrittenExport(path, count)


def write_graphiti(folder: Path, count: int) -> WrittenExport:
    """Write nodes and edges with a fact each, a line for each."""
    path = folder / "graphiti.jsonl"
    edges = count // 3
    nodes = count - 2 * edges  # each edge is an edge and a memory of its fact
    lines: list[dict[str, Any]] = [
        {"uuid": f"n-{number}", "name": f"Shop {number}", "group_id": "", "labels": ["Entity", "Shop"], "summary": ""}
        for number in range(nodes)
    ]
    lines += [
        {
            "uuid": f"e-{number}",
            "group_id": "",
            "source_node_uuid": f"n-{number % nodes}",
            "target_node_uuid": f"n-{(number * 7 + 1) % nodes}",
            "name": f"SUPPLIES_{number // nodes}",
            "fact": _said(number),
            "created_at": _stamp(number),
            "episodes": ["p-1"],
            "valid_at": _stamp(number),
            "invalid_at": None,
        }
        for number in range(edges)
    ]
    path.write_text("\n".join(map(json.dumps, lines)))
    return WrittenExport(path, count)


def write_letta(folder: Path, count: int) -> WrittenExport:
    """Write an agent file with two blocks and the messages of its agent."""
    path = folder / "agent.af"
    messages = [
        {
            "id": f"message-{number}",
            "role": "user" if number % 2 == 0 else "assistant",
            "content": [{"type": "text", "text": _said(number)}],
            "created_at": _stamp(number),
            "tool_calls": None,
        }
        for number in range(count - 2)
    ]
    blocks = [
        {"id": "block-0", "label": "human", "value": "Alice runs two shops.", "metadata": {}},
        {"id": "block-1", "label": "persona", "value": "I know ovens.", "metadata": {}},
    ]
    agent = {"id": "agent-0", "name": "Baker", "block_ids": ["block-0", "block-1"], "messages": messages}
    path.write_text(json.dumps({"agents": [agent], "blocks": blocks, "groups": [], "files": [], "tools": []}))
    return WrittenExport(path, count)


def write_hindsight(folder: Path, count: int) -> WrittenExport:
    """Write memory units as the API lists them."""
    path = folder / "hindsight.json"
    items = [
        {
            "id": str(number),
            "text": _said(number),
            "fact_type": "world",
            "context": "ovens",
            "date": _stamp(number),
            "mentioned_at": _stamp(number),
            "entities": f"Shop {number}",
            "state": "valid",
        }
        for number in range(count)
    ]
    path.write_text(json.dumps({"items": items, "total": count, "limit": count, "offset": 0}))
    return WrittenExport(path, count)


def write_mcp_memory_service(folder: Path, count: int) -> WrittenExport:
    """Write the export of the service."""
    path = folder / "memories.json"
    found = [
        {
            "content": _said(number),
            "content_hash": str(number),
            "tags": ["ovens"],
            "created_at": _at(number).timestamp(),
            "updated_at": _at(number).timestamp(),
            "memory_type": "note",
            "metadata": {"shop": number % 5},
            "store": "default",
        }
        for number in range(count)
    ]
    path.write_text(json.dumps({"export_metadata": {"total_memories": count}, "memories": found}, indent=2))
    return WrittenExport(path, count)


def write_memory_graph(folder: Path, count: int) -> WrittenExport:
    """Write the file of the MCP reference memory server."""
    path = folder / "memory.jsonl"
    entities = (count + 1) // 2
    lines: list[dict[str, Any]] = [
        {"type": "entity", "name": f"Shop {number}", "entityType": "shop", "observations": [_said(number)]}
        for number in range(entities)
    ]
    lines += [
        {
            "type": "relation",
            "from": f"Shop {number}",
            "to": f"Shop {(number + 1) % entities}",
            "relationType": "supplies",
        }
        for number in range(count - entities)
    ]
    path.write_text("\n".join(map(json.dumps, lines)))
    return WrittenExport(path, count)


def write_markdown(folder: Path, count: int) -> WrittenExport:
    """Write a folder of notes with front matter."""
    path = folder / "notes"
    path.mkdir()
    for key, numbers in _conversations(count):
        sections = "\n".join(f"## Shop {number}\n\n{_said(number)}\n" for number in numbers)
        (path / f"{key}.md").write_text(f"---\ntags: [ovens]\ndate: 2026-01-01\n---\n# Ovens\n\n{sections}")
    return WrittenExport(path, count)


def write_csv(folder: Path, count: int) -> WrittenExport:
    """Write a table of memories with users and dates."""
    path = folder / "memories.csv"
    with path.open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["text", "user_id", "tags", "created_at"])
        table.writerows([_said(number), USERS[number % 3], "ovens;shops", _stamp(number)] for number in range(count))
    return WrittenExport(path, count)


WRITERS: dict[str, Callable[[Path, int], WrittenExport]] = {
    "chatgpt": write_chatgpt,
    "claude": write_claude,
    "claude-code": write_claude_code,
    "mem0": write_mem0,
    "graphiti": write_graphiti,
    "letta": write_letta,
    "hindsight": write_hindsight,
    "mcp-memory-service": write_mcp_memory_service,
    "memory-graph": write_memory_graph,
    "markdown": write_markdown,
    "csv": write_csv,
}
