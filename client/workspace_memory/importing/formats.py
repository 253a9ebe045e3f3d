"""Which product a file or folder comes from, and its items."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from workspace_memory.errors import WorkspaceMemoryError
from workspace_memory.importing import chatgpt, claude, claude_code, markdown, mem0
from workspace_memory.importing.items import Item, Skipped, table_of
from workspace_memory.importing.partial_json import elements, lines

ONE_BY_ONE: dict[str, Callable[[Any, str], Iterator[Item]]] = {
    "chatgpt": chatgpt.conversation,
    "claude": claude.conversation,
    "mem0": mem0.memories,
}
WORKSPACE = "workspace"
FORMATS = (WORKSPACE, *ONE_BY_ONE, "claude-code", "markdown")
KNOWN = ", ".join(FORMATS)
BEGINNING = 1_000_000


class UnknownExportError(WorkspaceMemoryError):
    """Nothing here is recognised; name the format."""


def format_of(path: Path) -> str:
    """The format, told by what the file or folder holds. Raises UnknownExportError."""
    if path.is_dir():
        return _format_of_folder(path)
    if path.suffix == ".md":
        return "markdown"
    with path.open(encoding="utf-8", errors="replace") as file:
        text = file.read(BEGINNING)
    for _, value in lines(text.split("\n")[:20], path.name):
        entry = {} if isinstance(value, Skipped) else table_of(value)
        if entry.get("@kind") == "manifest":
            return WORKSPACE
        if path.suffix == ".jsonl" and ({"sessionId", "uuid"} & entry.keys() or entry.get("type") == "summary"):
            return "claude-code"
    for name, marks in (("chatgpt", '"mapping"'), ("claude", '"chat_messages"'), ("mem0", '"memory"')):
        if marks in text:
            return name
    raise UnknownExportError(f"{path} is not an export that is known here. Known: {KNOWN}; --format names one.")


def items_of(path: Path, format: str) -> Iterator[Item]:
    """Everything that a file or folder of this format holds."""
    found = [path] if path.is_file() else sorted(path.rglob("*"))
    for file in (file for file in found if file == path or (file.suffix in SUFFIXES[format] and file.is_file())):
        yield from _items(file, format, path.name if file == path else file.relative_to(path).as_posix())


def _items(file: Path, format: str, where: str) -> Iterator[Item]:
    if format == "claude-code":
        with file.open(encoding="utf-8", errors="replace") as found:
            yield from claude_code.session(found, where, session_id=file.stem)
        return
    text = file.read_text(encoding="utf-8-sig", errors="replace")
    if format == "markdown":
        yield from markdown.sections(text, where)
        return
    for number, value in enumerate(elements(text, where)):
        if isinstance(value, Skipped):
            yield value
        else:
            yield from ONE_BY_ONE[format](value, f"{where}[{number}]")


SUFFIXES = {
    "chatgpt": {".json"},
    "claude": {".json"},
    "mem0": {".json"},
    "claude-code": {".jsonl"},
    "markdown": {".md"},
}


def _format_of_folder(path: Path) -> str:
    conversations = path / "conversations.json"
    if conversations.exists():
        return format_of(conversations)
    for suffix, format in ((".jsonl", "claude-code"), (".md", "markdown")):
        if next(path.rglob(f"*{suffix}"), None):
            return format
    raise UnknownExportError(f"{path} holds no export that is known here. Known: {KNOWN}; --format names one.")
