"""Text of results: what a model reads of an answer, in few tokens; all of its fields are in the structured content.

Stored text is flattened, so that it cannot begin a line, and what the server says of it stands before it, where it
cannot be imitated."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from core.text.prompt_sanitiser import flatten

Result = Mapping[str, Any]
Renderer = Callable[[Result], str]
NOTHING_FOUND = "Nothing found."
# Longer contents are read with memory_get; a recall of many must leave room for the work itself.
MAX_LINE_CHARACTERS = 4_000


def render_json(result: Result) -> str:
    """Return all fields, for tools whose answers are small or have a shape of their own."""
    return json.dumps(result, ensure_ascii=False, separators=(",", ":"))


def render_text(result: Result) -> str:
    """Return the `text` of an answer that is a text with reasons."""
    return str(result["text"]) or NOTHING_FOUND


def render_memory(result: Result) -> str:
    """Return the line of a memory that is the whole answer."""
    return _format_memory(result)


def render_kept_memory(result: Result) -> str:
    """Return the mark of what was kept, and whether it was there before; the caller knows what it says."""
    memory = result["memory"]
    return f"{'Kept' if result['is_new'] else 'Known already'}: [mem:{memory['id']}] ({memory['kind']})"


def render_forgotten_memory(result: Result) -> str:
    """Return which memory no recall finds any more."""
    return f"Forgotten: [mem:{result['id']}]"


def render_memories(result: Result) -> str:
    """Return the line of each memory."""
    return _join_lines([_format_memory(memory) for memory in result["results"]])


def render_recall(result: Result) -> str:
    """Return the line of each hit, best first, and of what else bears on the query."""
    hits = [_format_memory(hit["memory"]) for hit in result["results"]]
    related = [str(each["line"]) for each in result["related"]]
    return _join_lines([*hits, "Related:", *related] if related else hits)


def render_messages(result: Result) -> str:
    """Return the line of each message."""
    return _join_lines([_format_message(message) for message in result["results"]])


def render_message_hits(result: Result) -> str:
    """Return the line of each message that a search found, best first."""
    return _join_lines([_format_message(hit["message"]) for hit in result["results"]])


def render_stored_message(result: Result) -> str:
    """Return the mark of a message that was stored: the caller knows what it says."""
    return f"Stored: [msg:{result['id']}]"


def render_added_messages(result: Result) -> str:
    """Return how many messages were stored in which conversation, and what becomes of them."""
    return f"Added {len(result['message_ids'])} to {flatten(str(result['conversation']))}. {result['detail']}"


def render_run(result: Result) -> str:
    """Return the id of a run that began."""
    return f"run_id {result['id']}: finish it with run_finish."


def render_finished_run(result: Result) -> str:
    """Return how a run ended and which of its citations were counted."""
    counted = sum(1 for each in result["citations"] if each["counted"])
    parts = [f"Run {result['run']['status']}. Citations counted: {counted}."]
    if result["unresolved"]:
        parts.append(f"No such memory: {', '.join(result['unresolved'])}.")
    if result["malformed"]:
        parts.append(f"Not an id: {', '.join(flatten(mark) for mark in result['malformed'])}.")
    return " ".join(parts)


def _format_memory(memory: Result) -> str:
    """Return a memory on one line: its mark, whether it is a fact, the day from which on it is true or, where that is
    not known, on which it was kept, and what it says."""
    states = {"forgotten": memory["is_deleted"], "suppressed": memory["suppressed"], "fact": memory["kind"] == "fact"}
    stated = memory["valid_from"]
    day = f"as of {_format_day(stated)}" if stated else f"kept {_format_day(memory['created_at'])}"
    notes = [*(name for name, holds in states.items() if holds), day]
    content = flatten(str(memory["content"]))
    cut = f"{content[:MAX_LINE_CHARACTERS]}…" if len(content) > MAX_LINE_CHARACTERS else content
    return f"- [mem:{memory['id']}] ({', '.join(notes)}) {cut}"


def _format_message(message: Result) -> str:
    """Return a message on one line: its mark, when it was said and by whom."""
    name = f" {flatten(str(message['name']))}" if message["name"] else ""
    content = flatten(str(message["content"]))
    return f"- [msg:{message['id']}] ({_format_day(message['created_at'])}) {message['role']}{name}: {content}"


def _format_day(moment: Any) -> str:
    """Return the day (UTC) of an RFC 3339 time as people write it, in fewer tokens than its digits."""
    return f"{datetime.fromisoformat(str(moment)):%-d %b %Y}"


def _join_lines(lines: list[str]) -> str:
    return "\n".join(lines) or NOTHING_FOUND
