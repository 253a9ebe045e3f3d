"""Which product a file, folder or archive comes from, and its items."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, Protocol

from workspace_memory.errors import WorkspaceMemoryError
from workspace_memory.importing import (
    chatgpt,
    claude,
    claude_code,
    comma_separated,
    graphiti,
    hindsight,
    letta,
    markdown,
    mcp_memory_service,
    mem0,
    memory_graph,
)
from workspace_memory.importing.encodings import decode
from workspace_memory.importing.entry_lines import EntryLines
from workspace_memory.importing.items import Item, Skipped, table_of, text_of
from workspace_memory.importing.partial_json import elements, is_lines, lines
from workspace_memory.importing.sources import SourceFile, UnreadableFileError, files_of, is_archive


class ExportReader(Protocol):
    """Reads the JSON values of an export one by one; `rest` is what only the end of the last file tells."""

    def items(self, value: Any, where: str) -> Iterator[Item]: ...

    def rest(self) -> Iterator[Item]: ...


class StatelessReader:
    """A reader whose values say everything themselves."""

    def __init__(self, items: Callable[[Any, str], Iterator[Item]]) -> None:
        self.items = items

    def rest(self) -> Iterator[Item]:
        """Nothing."""
        return iter(())


READERS: dict[str, Callable[[], ExportReader]] = {
    "chatgpt": chatgpt.ChatGPTExport,
    "claude": claude.ClaudeExport,
    "mem0": lambda: StatelessReader(mem0.memories),
    "graphiti": lambda: StatelessReader(graphiti.items),
    "letta": lambda: StatelessReader(letta.items),
    "hindsight": lambda: StatelessReader(hindsight.memories),
    "mcp-memory-service": lambda: StatelessReader(mcp_memory_service.memories),
    "memory-graph": lambda: StatelessReader(memory_graph.items),
}
WORKSPACE = "workspace"
FORMATS = (WORKSPACE, *READERS, "claude-code", "markdown", "csv")
KNOWN = ", ".join(FORMATS)
BEGINNING = 1_000_000
EVERYTHING = 1 << 62

JSON = frozenset({".json", ".jsonl", ".ndjson"})
SUFFIXES: dict[str, frozenset[str]] = {
    **dict.fromkeys(READERS, JSON),
    "letta": JSON | {".af"},
    "claude-code": frozenset({".jsonl"}),
    "markdown": frozenset({".md", ".markdown", ".mdx"}),
    "csv": frozenset({".csv", ".tsv"}),
}
BY_SUFFIX = {suffix: name for name in ("markdown", "csv") for suffix in SUFFIXES[name]} | {".af": "letta"}
# Words that only one product's files have; the first that is found decides.
MARKS = (
    ("chatgpt", '"mapping"'),
    ("claude", '"chat_messages"'),
    ("claude", '"conversations_memory"'),
    ("claude", '"prompt_template"'),
    ("mcp-memory-service", '"export_metadata"'),
    ("mcp-memory-service", '"content_hash"'),
    ("hindsight", '"fact_type"'),
    ("graphiti", '"source_node_uuid"'),
    ("letta", '"block_ids"'),
    ("letta", '"core_memory"'),
    ("letta", '"archive_id"'),
    ("letta", '"preserve_on_migration"'),
    ("memory-graph", '"entityType"'),
    ("memory-graph", '"relationType"'),
    ("graphiti", '"group_id"'),
    ("mem0", '"memory"'),
)
TELLING = {".af": 1, ".jsonl": 2, ".ndjson": 2, **dict.fromkeys(BY_SUFFIX.keys() - {".af"}, 3), ".json": 4}
# Lines of a session of Claude Code that name no session.
SESSION_LINES = claude_code.TURNS | {"summary", "file-history-snapshot"}
# Of these products an archive holds other lists as well, which are told apart by name.
_CONVERSATIONS = re.compile(r"(?:^|/)conversations(?:[-_]\d+)?\.json$")


class UnknownExportError(WorkspaceMemoryError):
    """Nothing here is recognised; name the format."""


def format_of(path: Path) -> str:
    """The format, told by what the file, folder or archive holds. Raises UnknownExportError."""
    files = files_of(path)
    is_single = path.is_file() and not is_archive(path)
    for file in files if is_single else _telling(files):
        if found := _format_of_file(file):
            return found
    what = "is not an export" if is_single else "holds no export"
    raise UnknownExportError(f"{path} {what} that is known here. Known: {KNOWN}; --format names one.")


def items_of(path: Path, format: str) -> Iterator[Item]:
    """Everything that a file, folder or archive of this format holds, and what of it is not read."""
    files = files_of(path)
    is_single = path.is_file() and not is_archive(path)
    fit = files if is_single else [file for file in files if file.suffix in SUFFIXES[format]]
    if format == "chatgpt" and not is_single:
        fit = [file for file in fit if _CONVERSATIONS.search(file.name)] or fit
    if format == "claude":
        fit.sort(key=lambda file: "project" not in file.name)  # they name what memories refer to
    reader = READERS[format]() if format in READERS else None
    for file in fit:
        try:
            text, note = decode(file.read(EVERYTHING))
        except UnreadableFileError as error:
            yield file.skipped(error)
            continue
        if note:
            yield Skipped(file.name, "encoding", note)
        yield from _items(text, format, file, reader)
    if reader:
        yield from reader.rest()
    read = {file.name for file in fit}
    yield from (Skipped(file.name, "other_file", "No memories are in it.") for file in files if file.name not in read)


def _items(text: str, format: str, file: SourceFile, reader: ExportReader | None) -> Iterator[Item]:
    if format == "claude-code":
        yield from claude_code.session(text.split("\n"), file.name, session_id=file.stem)
    elif format == "markdown":
        yield from markdown.sections(text, file.name)
    elif format == "csv":
        yield from comma_separated.rows(text, file.name)
    elif reader:
        entry_lines = EntryLines(file.name, text)
        for where, value in _values(text, file, entry_lines):
            read = [value] if isinstance(value, Skipped) else reader.items(value, where)
            yield from map(entry_lines.add_line, read)


def _values(text: str, file: SourceFile, entry_lines: EntryLines) -> Iterator[tuple[str, Any]]:
    """The JSON values of a file: its lines, the elements of its list, or the only one."""
    if file.suffix in {".jsonl", ".ndjson"} or is_lines(text):
        yield from lines(text.split("\n"), file.name)
        return
    for number, (start, value) in enumerate(elements(text, file.name)):
        entry_lines.add_element(start)
        yield f"{file.name}[{number}]", value


def _telling(files: Sequence[SourceFile]) -> list[SourceFile]:
    """The files of a folder that may say what it is, those first that say most."""
    ranked = [(rank, file) for file in files if _is_visible(file.name) and (rank := _rank(file)) is not None]
    return [file for _, file in sorted(ranked, key=lambda pair: pair[0])]


def _rank(file: SourceFile) -> int | None:
    """How much a file says of what an export is, 0 the most; None for nothing."""
    if _CONVERSATIONS.search(file.name):
        return 0
    return TELLING.get(file.suffix)


def _is_visible(name: str) -> bool:
    return not any(part.startswith(".") for part in PurePosixPath(name).parts)


def _format_of_file(file: SourceFile) -> str:
    """The format of one file; empty for one that says nothing."""
    if file.suffix in BY_SUFFIX:
        return BY_SUFFIX[file.suffix]
    try:
        text = decode(file.read(BEGINNING))[0]
    except UnreadableFileError:
        return ""
    for _, value in lines(text.split("\n")[:20], file.name):
        entry = {} if isinstance(value, Skipped) else table_of(value)
        if entry.get("@kind") == "manifest":
            return WORKSPACE
        if file.suffix == ".jsonl" and ("sessionId" in entry or text_of(entry.get("type")) in SESSION_LINES):
            return "claude-code"
    return next((name for name, mark in MARKS if mark in text), "")
