"""Exports of other products, of any size, as these products write them.

Each tells what has to come in, and where malformed entries stand.
"""

from __future__ import annotations

import csv
import json
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Protocol

from bench.export_parts import BROKEN_LINE, ExpectedItem, WrittenExport, listed, mix, wrapped, write_lines

BEGIN = datetime(2026, 1, 1, 8, tzinfo=UTC)
TURNS = 20  # of a conversation
USERS = ("alice", "bob", "carol")


def _messages(numbers: range) -> Iterator[ExpectedItem]:
    for number in numbers:
        yield ExpectedItem(_role(number), _said(number), at=_at(number))


def _role(number: int) -> str:
    return "user" if number % 2 == 0 else "assistant"


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
        author: dict[str, Any] = {"role": _role(number), "name": None, "metadata": {}}
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


def write_chatgpt(folder: Path, count: int, malformed: int = 0) -> WrittenExport:
    """Write a ZIP with conversations in several files, as it is downloaded."""
    path = folder / "chatgpt.zip"
    found = [_chatgpt_conversation(key, numbers) for key, numbers in _conversations(count)]
    found, places = mix(found, {"title": "Without messages"}, malformed)
    at_once = max(1, -(-len(found) // 3))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for part, first in enumerate(range(0, len(found), at_once)):
            archive.writestr(f"conversations-{part:03}.json", listed(found[first : first + at_once]))
        archive.writestr("user.json", json.dumps({"id": "u", "email": "alice@example.com"}))
        archive.writestr("chat.html", "<html></html>")
    named = [
        f"conversations-{place // at_once:03}.json[{place % at_once}] (line {place % at_once + 2})" for place in places
    ]
    return WrittenExport(path, tuple(_messages(range(count))), tuple(named))


def write_claude(folder: Path, count: int, malformed: int = 0) -> WrittenExport:
    """Write a ZIP with conversations, what Claude remembers, and a project."""
    path = folder / "claude.zip"
    found: list[dict[str, Any]] = [
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
    found, places = mix(found, {"name": "Without messages"}, malformed)
    memories = [
        {"conversations_memory": "**Work**\n\nAlice runs two shops.", "project_memories": {}, "account_uuid": "a"}
    ]
    project = {"uuid": "p-1", "name": "Ovens", "description": "", "prompt_template": "Answer in Celsius.", "docs": []}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations.json", listed(found))
        archive.writestr("memories.json", json.dumps(memories))
        archive.writestr("projects/p-1.json", json.dumps(project))
    remembered = ("Work\n\nAlice runs two shops.", "Instructions of the project Ovens\n\nAnswer in Celsius.")
    expected = (*_messages(range(count - 2)), *(ExpectedItem("memory", text) for text in remembered))
    return WrittenExport(path, expected, tuple(f"conversations.json[{one}] (line {one + 2})" for one in places))


def write_claude_code(folder: Path, count: int, malformed: int = 0) -> WrittenExport:
    """Write a folder of session files, one broken line each in so many of them."""
    path = folder / "projects"
    path.mkdir()
    sessions = list(_conversations(count))
    named = [f"{key}.jsonl:2" for key, _ in sessions[:malformed]]
    for place, (key, numbers) in enumerate(sessions):
        lines = [
            json.dumps(
                {
                    "type": _role(number),
                    "uuid": f"u-{number}",
                    "sessionId": key,
                    "timestamp": _stamp(number),
                    "message": {"content": [{"type": "text", "text": _said(number)}]},
                }
            )
            for number in numbers
        ]
        lines[1:1] = [BROKEN_LINE] if place < malformed else []
        (path / f"{key}.jsonl").write_text("\n".join(lines))
    return WrittenExport(path, tuple(_messages(range(count))), tuple(named))


def write_mem0(folder: Path, count: int, malformed: int = 0) -> WrittenExport:
    """Write memories of three users, who say the same now and then."""
    path = folder / "mem0.json"
    expected = [
        ExpectedItem("memory", _said(one - one % len(USERS)), f"user:{USERS[one % len(USERS)]}", _at(one))
        for one in range(count)
    ]
    found = [
        {
            "id": str(number),
            "memory": one.text,
            "hash": "0",
            "user_id": one.space.removeprefix("user:"),
            "metadata": {"shop": number % 5},
            "created_at": _stamp(number),
            "updated_at": None,
        }
        for number, one in enumerate(expected)
    ]
    found, places = mix(found, {"id": "x", "hash": "0"}, malformed)
    path.write_text(wrapped({"results": "ENTRIES"}, found))
    named = [f"mem0.json[0].results[{place}] (line {place + 2})" for place in places]
    return WrittenExport(path, tuple(expected), tuple(named))


def write_graphiti(folder: Path, count: int, malformed: int = 0) -> WrittenExport:
    """Write nodes and edges with a fact each, a line for each."""
    path = folder / "graphiti.jsonl"
    edges = count // 3
    nodes = count - 2 * edges  # each edge is an edge and a memory of its fact
    found: list[dict[str, Any]] = [
        {"uuid": f"n-{number}", "name": f"Shop {number}", "group_id": "", "labels": ["Entity", "Shop"], "summary": ""}
        for number in range(nodes)
    ]
    expected = [ExpectedItem("shop", f"Shop {number}") for number in range(nodes)]
    for number in range(edges):
        source, target, word = number % nodes, (number * 7 + 1) % nodes, f"SUPPLIES_{number // nodes}"
        found.append(
            {
                "uuid": f"e-{number}",
                "group_id": "",
                "source_node_uuid": f"n-{source}",
                "target_node_uuid": f"n-{target}",
                "name": word,
                "fact": _said(number),
                "created_at": _stamp(number),
                "episodes": ["p-1"],
                "valid_at": _stamp(number),
                "invalid_at": None,
            }
        )
        expected.append(ExpectedItem("memory", _said(number), at=_at(number)))
        expected.append(ExpectedItem("edge", f"Shop {source} {word.lower()} Shop {target}"))
    return write_lines(path, found, tuple(expected), malformed)


def write_letta(folder: Path, count: int, malformed: int = 0) -> WrittenExport:
    """Write an agent file with two blocks and the messages of its agent."""
    path = folder / "agent.af"
    messages: list[dict[str, Any]] = [
        {
            "id": f"message-{number}",
            "role": _role(number),
            "content": [{"type": "text", "text": _said(number)}],
            "created_at": _stamp(number),
            "tool_calls": None,
        }
        for number in range(count - 2)
    ]
    messages, places = mix(messages, {"id": "message-x", "role": "ghost"}, malformed)
    blocks = [
        {"id": "block-0", "label": "human", "value": "Alice runs two shops.", "metadata": {}},
        {"id": "block-1", "label": "persona", "value": "I know ovens.", "metadata": {}},
    ]
    agent = {"id": "agent-0", "name": "Baker", "block_ids": ["block-0", "block-1"], "messages": "ENTRIES"}
    file = {"agents": [agent], "blocks": blocks, "groups": [], "files": [], "tools": []}
    path.write_text(wrapped(file, messages))
    remembered = [ExpectedItem("memory", f"{block['label']}\n\n{block['value']}") for block in blocks]
    named = [f"agent.af[0].agents[0].messages[{place}] (line {place + 2})" for place in places]
    return WrittenExport(path, (*_messages(range(count - 2)), *remembered), tuple(named))


def write_hindsight(folder: Path, count: int, malformed: int = 0) -> WrittenExport:
    """Write memory units as the API lists them."""
    path = folder / "hindsight.json"
    found: list[dict[str, Any]] = [
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
    found, places = mix(found, {"id": "x", "fact_type": "world"}, malformed)
    path.write_text(wrapped({"items": "ENTRIES", "total": count, "limit": count, "offset": 0}, found))
    named = [f"hindsight.json[0].items[{place}] (line {place + 2})" for place in places]
    return WrittenExport(path, tuple(_memories(count)), tuple(named))


def _memories(count: int) -> Iterator[ExpectedItem]:
    for number in range(count):
        yield ExpectedItem("memory", _said(number), at=_at(number))


def write_mcp_memory_service(folder: Path, count: int, malformed: int = 0) -> WrittenExport:
    """Write the export of the service."""
    path = folder / "memories.json"
    found: list[dict[str, Any]] = [
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
    found, places = mix(found, {"content_hash": "x"}, malformed)
    path.write_text(wrapped({"export_metadata": {"total_memories": count}, "memories": "ENTRIES"}, found))
    named = [f"memories.json[0].memories[{place}] (line {place + 2})" for place in places]
    return WrittenExport(path, tuple(_memories(count)), tuple(named))


def write_memory_graph(folder: Path, count: int, malformed: int = 0) -> WrittenExport:
    """Write the file of the MCP reference memory server."""
    path = folder / "memory.jsonl"
    entities = (count + 1) // 2
    lines: list[dict[str, Any]] = [
        {"type": "entity", "name": f"Shop {number}", "entityType": "shop", "observations": [_said(number)]}
        for number in range(entities)
    ]
    expected = [ExpectedItem("shop", f"Shop {number}") for number in range(entities)]
    for number in range(count - entities):
        ends = f"Shop {number}", f"Shop {(number + 1) % entities}"
        lines.append({"type": "relation", "from": ends[0], "to": ends[1], "relationType": "supplies"})
        expected.append(ExpectedItem("edge", f"{ends[0]} supplies {ends[1]}"))
    return write_lines(path, lines, tuple(expected), malformed)


def write_markdown(folder: Path, count: int, malformed: int = 0) -> WrittenExport:
    """Write a folder of notes with front matter, a section that is a document in so many of them."""
    path, day = folder / "notes", BEGIN.replace(hour=0)
    path.mkdir()
    notes = list(_conversations(count))
    for place, (key, numbers) in enumerate(notes):
        sections = "\n".join(f"## Shop {number}\n\n{_said(number)}\n" for number in numbers)
        document = f"## Everything\n\n{'words ' * 3_000}\n\n" if place < malformed else ""
        (path / f"{key}.md").write_text(f"---\ntags: [ovens]\ndate: 2026-01-01\n---\n# Ovens\n\n{document}{sections}")
    expected = [ExpectedItem("memory", f"Ovens › Shop {one}\n\n{_said(one)}", at=day) for one in range(count)]
    named = [f"{key}.md#Ovens › Everything (line 7)" for key, _ in notes[:malformed]]
    return WrittenExport(path, tuple(expected), tuple(named))


def write_csv(folder: Path, count: int, malformed: int = 0) -> WrittenExport:
    """Write a table of memories with users and dates."""
    path = folder / "memories.csv"
    expected = [
        ExpectedItem("memory", _said(number), f"user:{USERS[number % 3]}", _at(number)) for number in range(count)
    ]
    found = [
        [one.text, one.space.removeprefix("user:"), "ovens;shops", _stamp(number)]
        for number, one in enumerate(expected)
    ]
    found, places = mix(found, ["a", "b", "c", "d", "e"], malformed)
    with path.open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["text", "user_id", "tags", "created_at"])
        table.writerows(found)
    return WrittenExport(path, tuple(expected), tuple(f"memories.csv:{place + 2}" for place in places))


class ExportWriter(Protocol):
    """Writes so many items into a folder, with so many malformed entries in between."""

    def __call__(self, folder: Path, count: int, malformed: int = 0) -> WrittenExport: ...


WRITERS: dict[str, ExportWriter] = {
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
