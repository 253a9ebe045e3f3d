"""TOML: one table of a file set or taken out as text, so that everything else stays as it is. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import date, datetime, time
from importlib import import_module
from typing import Any

from workspace_memory.cli.connect.errors import ConfigurationError

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_HEADER = re.compile(r"^[ \t]*\[{1,2}[ \t]*([^\[\]#\n]+?)[ \t]*\]{1,2}[ \t]*(?:#.*)?$")
_KEY = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'[^']*'|[A-Za-z0-9_-]+")


def read_toml(text: str) -> dict[str, Any]:
    """Return the tables of a file. Raises ConfigurationError."""
    try:
        found: dict[str, Any] = import_module("tomllib").loads(text)
    except ModuleNotFoundError as error:  # before Python 3.11
        raise ConfigurationError("Changing TOML needs Python 3.11 or newer.") from error
    except ValueError as error:
        raise ConfigurationError(f"It is not TOML: {error}.") from error
    return found


def set_table(text: str, path: tuple[str, ...], table: Mapping[str, Any]) -> str:
    """Return the text with a table set, at its place or at the end.

    Raises ConfigurationError where the file writes the table in a way that this cannot change alone, such as inline.
    """
    newline = "\r\n" if "\r\n" in text else "\n"
    block = _write_table(path, table, newline)
    found = _find(text, path)
    if found is None:
        gap = "" if not text else newline * (1 if text.endswith("\n") else 2)
        changed = text + gap + block
    else:
        lines, first, last = found
        kept = [line for line in lines[first:last] if line.lstrip().startswith("#")]
        changed = "".join([*lines[:first], *kept, block, *lines[last:]])
    _compare(text, changed, path, dict(table))
    return changed


def remove_table(text: str, path: tuple[str, ...]) -> str:
    """Return the text without a table; as it is where there is none. Raises ConfigurationError as `set_table` does."""
    if _look_up(read_toml(text), path) is None:
        return text
    found = _find(text, path)
    if found is None:
        raise ConfigurationError(f"It writes {'.'.join(path)} in a way that only you can change.")
    lines, first, last = found
    before = lines[:first]
    if last == len(lines) and before and not before[-1].strip():
        before.pop()  # the empty line that was put before the table
    changed = "".join([*before, *lines[last:]])
    _compare(text, changed, path, None)
    return changed


def _find(text: str, path: tuple[str, ...]) -> tuple[list[str], int, int] | None:
    """Return the lines of the file, and which of them are the table with the tables in it."""
    lines = text.splitlines(keepends=True)
    inside = [name is not None and name[: len(path)] == path for name in _tables(lines)]
    if not any(inside):
        return None
    first = inside.index(True)
    last = next((place for place in range(first, len(lines)) if not inside[place]), len(lines))
    while last > first + 1 and (not lines[last - 1].strip() or lines[last - 1].lstrip().startswith("#")):
        last -= 1  # what stands before the next header belongs to it
    return lines, first, last


def _tables(lines: list[str]) -> list[tuple[str, ...] | None]:
    """Return the table that each line is in."""
    here: tuple[str, ...] | None = None
    found = []
    for line in lines:
        if header := _HEADER.match(line.rstrip("\r\n")):
            here = tuple(_unquote(key) for key in _KEY.findall(header[1]))
        found.append(here)
    return found


def _unquote(key: str) -> str:
    if key.startswith('"'):
        return str(json.loads(key))
    return key.strip("'")


def _compare(before: str, after: str, path: tuple[str, ...], table: dict[str, Any] | None) -> None:
    """Read both again: all but the table must be what it was. Raises ConfigurationError."""
    try:
        changed = read_toml(after)
    except ConfigurationError as error:
        raise ConfigurationError(f"It writes {'.'.join(path)} in a way that only you can change.") from error
    if _look_up(changed, path) != table or _without(changed, path) != _without(read_toml(before), path):
        raise ConfigurationError(f"It writes {'.'.join(path)} in a way that only you can change.")


def _look_up(tables: Any, path: tuple[str, ...]) -> Any:
    for name in path:
        if not isinstance(tables, dict) or name not in tables:
            return None
        tables = tables[name]
    return tables


def _without(tables: dict[str, Any], path: tuple[str, ...]) -> dict[str, Any]:
    """Return the tables without the one at a path, and without what is empty on the way to it."""
    name, *rest = path
    inner = tables.get(name)
    if rest and isinstance(inner, dict):
        inner = _without(inner, tuple(rest))
        return {**tables, name: inner} if inner else {key: value for key, value in tables.items() if key != name}
    return {key: value for key, value in tables.items() if key != name}


def _write_table(path: tuple[str, ...], table: Mapping[str, Any], newline: str) -> str:
    lines = [f"[{'.'.join(map(_key, path))}]", *(f"{_key(name)} = {_value(value)}" for name, value in table.items())]
    return newline.join([*lines, ""])


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _string(name)


def _string(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_key(name)} = {_value(inner)}" for name, inner in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    return repr(value)
