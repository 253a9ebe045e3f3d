"""CSV files: a memory for each row, or a message where the row names a conversation. Pure."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from workspace_memory.importing.items import (
    Item,
    MemoryItem,
    MessageItem,
    Skipped,
    check_memory,
    check_message,
    day_after,
    metadata_tags,
    moment,
    not_kept,
    one_line,
    space_of,
    tags_of,
)

DELIMITERS = ",;\t|"
# A column by each name that it is known by.
COLUMNS = {
    "content": ("content", "memory", "text", "fact", "statement", "note", "message"),
    "tags": ("tags", "tag", "labels", "categories", "category"),
    "user": ("user", "user_id", "username"),
    "agent": ("agent", "agent_id"),
    "space": ("space",),
    "created_at": ("created_at", "created", "date", "timestamp", "time"),
    "updated_at": ("updated_at", "updated", "modified"),
    "valid_from": ("valid_from",),
    "valid_to": ("valid_to",),
    "expires_at": ("expires_at", "expiration_date", "expires"),
    "importance": ("importance",),
    "confidence": ("confidence",),
    "conversation": ("conversation", "conversation_id", "thread", "thread_id", "session", "session_id"),
    "role": ("role", "sender"),
    "name": ("name", "author"),
    "title": ("title",),
    "key": ("key", "id", "message_id", "memory_id"),
}
KNOWN = {name: column for column, names in COLUMNS.items() for name in names}
ROLES = {
    "human": "user",
    "user": "user",
    "assistant": "assistant",
    "ai": "assistant",
    "system": "system",
    "tool": "tool",
}
TIMES = ("created_at", "updated_at", "valid_from", "valid_to", "expires_at")
RATIOS = ("importance", "confidence")
SAID = frozenset({"conversation", "role", "content", "name", "title", "key", "created_at", "user", "agent", "space"})
# Larger than a row that holds the longest message.
MAX_CHARACTERS_OF_A_FIELD = 1_000_000


def rows(text: str, where: str) -> Iterator[Item]:
    """The rows of a file whose first row names the columns; other columns become tags `name:value`, or are reported."""
    csv.field_size_limit(MAX_CHARACTERS_OF_A_FIELD)
    head = text.partition("\n")[0]
    delimiter = max(DELIMITERS, key=head.count)
    table = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    columns: list[str] = []
    while True:
        line = table.line_num + 1
        try:
            row = next(table, None)
        except csv.Error as error:
            yield Skipped(f"{where}:{line}", "broken_csv", f"The row cannot be read ({error}).")
            continue
        if row is None:
            break
        if not columns:
            columns = _columns(row)
            if "content" not in columns:
                names = ", ".join(COLUMNS["content"])
                yield Skipped(f"{where}:{line}", "no_columns", f"The first row names no column for the text: {names}.")
                return
        elif any(row):
            yield from _row(columns, row, f"{where}:{line}")


def _columns(row: list[str]) -> list[str]:
    """What each column is; one that is known already, or by no name here, keeps its own."""
    columns: list[str] = []
    for place, name in enumerate(row):
        plain = one_line(name).lower().replace(" ", "_")
        known = KNOWN.get(plain, "")
        columns.append(known if known and known not in columns else one_line(name) or f"column {place + 1}")
    return columns


def _row(columns: list[str], row: list[str], where: str) -> Iterator[Item]:
    if len(row) > len(columns):
        yield Skipped(where, "broken_csv", f"The row has {len(row)} fields, and the first row {len(columns)}.")
        return
    found = {name: value.strip() for name, value in zip(columns, row, strict=False) if value.strip()}
    further = {name: value for name, value in found.items() if name not in COLUMNS}
    space = found.get("space") or space_of("user", found.get("user", "")) or space_of("agent", found.get("agent", ""))
    made, changed, start = (moment(found.get(name)) for name in ("created_at", "updated_at", "valid_from"))
    end, gone = (day_after(found.get(name)) for name in ("valid_to", "expires_at"))
    left = [name for name, at in zip(TIMES, (made, changed, start, end, gone), strict=True) if name in found and not at]
    if "conversation" in found:
        yield _message(found, where, space, made)
        left += [name for name in found if name not in SAID and name not in left]
    else:
        tags = tags_of("csv", *found.get("tags", "").replace(";", ",").split(","))
        named = {name: found[name] for name in ("title", "name", "role", "key") if name in found}
        more, unfit = metadata_tags(named | further, taken=len(tags))
        importance, confidence = (_ratio(found.get(name, "")) for name in RATIOS)
        ratios = zip(RATIOS, (importance, confidence), strict=True)
        left += [*(name for name, ratio in ratios if name in found and ratio is None), *unfit]
        memory = MemoryItem(found.get("content", ""), (*tags, *more), made, changed, space=space)
        memory = replace(memory, valid_from=start, valid_to=end, expires_at=gone)
        yield check_memory(where, replace(memory, importance=importance, confidence=confidence))
    yield from not_kept(where, left)


def _message(found: dict[str, str], where: str, space: str, at: datetime | None) -> Item:
    role = ROLES.get(found.get("role", "user").lower())
    if role is None:
        return Skipped(where, "unknown_role", "Its role is neither user nor assistant, tool or system.")
    key, name = found.get("key") or where.rpartition(":")[2], one_line(found.get("name", ""))
    conversation = f"csv/{one_line(found['conversation'])}"[:200]
    text, title = found.get("content", ""), one_line(found.get("title", ""))
    message = MessageItem(conversation, key, role, text, title=title, name=name, at=at, space=space)
    return check_message(where, message)


def _ratio(text: str) -> float | None:
    """A number from 0 to 1; None for anything else."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if 0 <= value <= 1 else None
