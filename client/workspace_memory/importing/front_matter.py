"""The front matter of a Markdown file: the lines of YAML above it that say its title, tags and dates. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

from workspace_memory.importing.items import moment

_BLOCK = re.compile(r"\A---[ \t]*\n(.*?\n)?(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_FIELD = re.compile(r"^([^\s:#][^:]*?):(?:\s+(.*))?$")
_ITEM = re.compile(r"^\s*-\s+(.*)$")
TAGS = frozenset({"tags", "tag", "keywords", "categories", "category"})
MADE = frozenset({"date", "created", "created_at", "created-at"})
CHANGED = frozenset({"updated", "updated_at", "updated-at", "modified", "last_modified", "lastmod"})


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What a file says of itself; `left` are the names of fields for which there is no place."""

    title: str = ""
    tags: tuple[str, ...] = ()
    at: datetime | None = None
    changed_at: datetime | None = None
    left: tuple[str, ...] = ()


def split(text: str) -> tuple[FrontMatter, str]:
    """The front matter and the text behind it."""
    found = _BLOCK.match(text)
    if not found:
        return FrontMatter(), text
    title, tags, at, changed_at, left = "", list[str](), None, None, list[str]()
    for name, values in _fields(found[1] or ""):
        value = values[0] if values else ""
        if name == "title":
            title = value
        elif name in TAGS:
            tags += [one.removeprefix("#") for one in values]
        elif name in MADE and moment(value):
            at = moment(value)
        elif name in CHANGED and moment(value):
            changed_at = moment(value)
        elif value:
            left.append(name)
    return FrontMatter(title, tuple(tags), at, changed_at, tuple(left)), text[found.end() :]


def _fields(block: str) -> list[tuple[str, list[str]]]:
    """Names in small letters with their values: of one line, of a list in brackets, or of lines that begin with `-`."""
    fields: list[tuple[str, list[str]]] = []
    for line in (line for line in block.split("\n") if not line.lstrip().startswith("#")):
        if found := _FIELD.match(line):
            name = found[1].strip().lower()
            fields.append((name, _values(found[2] or "", is_list=name in TAGS)))
        elif fields and (item := _ITEM.match(line)):
            fields[-1][1].append(_plain(item[1]))
        elif fields and line.strip():
            fields[-1][1].append(line.strip())
    return fields


def _values(text: str, *, is_list: bool) -> list[str]:
    text = text.strip()
    if text.startswith("[") and text.endswith("]"):
        return [_plain(one) for one in text[1:-1].split(",") if one.strip()]
    if is_list:
        return [_plain(one) for one in (text.split(",") if "," in text else [text]) if one.strip()]
    return [_plain(text)] if text else []


def _plain(text: str) -> str:
    text = text.strip()
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" else text
