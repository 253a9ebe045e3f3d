"""Text of results: what a model reads of an answer, in few tokens; all of its fields are in the structured content.

Stored text is flattened, so that it cannot begin a line, and what the server says of it stands before it, where it
cannot be imitated."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from core.text.prompt_sanitiser import flatten

Result = Mapping[str, Any]
Renderer = Callable[[Result], str]
NOTHING_FOUND = "Nothing found."
# Longer contents are read with memory_get; a recall of many must leave room for the work itself.
MAX_LINE_CHARACTERS = 4_000


def as_json(result: Result) -> str:
    """Return all fields, for tools whose answers are small or have a shape of their own."""
    return json.dumps(result, ensure_ascii=False, separators=(",", ":"))


def as_text(result: Result) -> str:
    """Return the `text` of an answer that is a text with reasons."""
    return str(result["text"]) or NOTHING_FOUND


def one_memory(result: Result) -> str:
    """Return the line of a memory that is the whole answer."""
    return memory_line(result)


def remembered(result: Result) -> str:
    """Return the mark of what was kept, and whether it was there before; the caller knows what it says."""
    memory = result["memory"]
    return f"{'Kept' if result['is_new'] else 'Known already'}: [mem:{memory['id']}] ({memory['kind']})"


def forgotten(result: Result) -> str:
    """Return which memory no recall finds any more."""
    return f"Forgotten: [mem:{result['id']}]"


def memories(result: Result) -> str:
    """Return the line of each memory."""
    return _lines([memory_line(memory) for memory in result["results"]])


def recalled(result: Result) -> str:
    """Return the line of each hit, best first, and of what else bears on the query."""
    hits = [memory_line(hit["memory"]) for hit in result["results"]]
    related = [str(each["line"]) for each in result["related"]]
    return _lines([*hits, "Related:", *related] if related else hits)


def messages(result: Result) -> str:
    """Return the line of each message."""
    return _lines([message_line(message) for message in result["results"]])


def found_messages(result: Result) -> str:
    """Return the line of each message that a search found, best first."""
    return _lines([message_line(hit["message"]) for hit in result["results"]])


def one_message(result: Result) -> str:
    """Return the mark of a message that was stored: the caller knows what it says."""
    return f"Stored: [msg:{result['id']}]"


def run(result: Result) -> str:
    """Return the id of a run that began."""
    return f"run_id {result['id']}: finish it with run_finish."


def finished_run(result: Result) -> str:
    """Return how a run ended and which of its citations were counted."""
    counted = sum(1 for each in result["citations"] if each["counted"])
    parts = [f"Run {result['run']['status']}. Citations counted: {counted}."]
    if result["unresolved"]:
        parts.append(f"No such memory: {', '.join(result['unresolved'])}.")
    if result["malformed"]:
        parts.append(f"Not an id: {', '.join(flatten(mark) for mark in result['malformed'])}.")
    return " ".join(parts)


def memory_line(memory: Result) -> str:
    """Return a memory on one line: its mark, what it is and since when it is known, and what it says."""
    state = "forgotten " if memory["is_deleted"] else "suppressed " if memory["suppressed"] else ""
    content = flatten(str(memory["content"]))
    cut = f"{content[:MAX_LINE_CHARACTERS]}…" if len(content) > MAX_LINE_CHARACTERS else content
    return f"- [mem:{memory['id']}] ({state}{memory['kind']}, {str(memory['created_at'])[:10]}) {cut}"


def message_line(message: Result) -> str:
    """Return a message on one line: its mark, when it was said and by whom."""
    name = f" {flatten(str(message['name']))}" if message["name"] else ""
    content = flatten(str(message["content"]))
    return f"- [msg:{message['id']}] {str(message['created_at'])[:10]} {message['role']}{name}: {content}"


def _lines(lines: list[str]) -> str:
    return "\n".join(lines) or NOTHING_FOUND
