"""Files below `/memories` as memories: paths, how a file is a memory, and how a model is shown both. Pure."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import quote, unquote

from workspace_memory.models import StoredMemory

ROOT = "/memories"
# The tag of every file, and how the others begin: its path, and what a memory does not keep at its end.
ALL, PATH, TAIL = "anthropic-memory", "path:", "tail:"
MAX_TAG_CHARACTERS = 64
MAX_TAIL_CHARACTERS = 15
LEVELS_SHOWN = 2
LINE_NUMBER_WIDTH = 6
LINES_AROUND = 2


class FilePathError(ValueError):
    """A path outside of `/memories`, or one that cannot be."""


@dataclass(frozen=True, slots=True)
class MemoryFile:
    """A file, and the memory that holds it."""

    path: str
    text: str
    memory_id: str = ""


def clean_path(path: str) -> str:
    """Return a path in its shortest form. Raises FilePathError for one outside of `/memories`."""
    clean = posixpath.normpath(path)
    if clean != ROOT and not clean.startswith(f"{ROOT}/"):
        raise FilePathError(f"Path must be below {ROOT}, got: {path}")
    if not clean.isprintable():
        raise FilePathError("A path is one line of visible characters.")
    return clean


def content_of(file: MemoryFile) -> str:
    """Return the text of the memory that holds a file: its path on the first line, so that no other file has it."""
    return f"{file.path}\n{file.text}".rstrip()


def tags_of(file: MemoryFile) -> list[str]:
    """Return the tags of the memory that holds a file."""
    tail = file.text[len(file.text.rstrip()) :][:MAX_TAIL_CHARACTERS]
    found = [ALL, PATH + quote(file.path), *([TAIL + quote(tail)] if tail else [])]
    return [tag for tag in found if len(tag) <= MAX_TAG_CHARACTERS]  # a longer path is in the content alone


def read_file(memory: StoredMemory) -> MemoryFile | None:
    """Return the file that a memory holds; None for one that holds none."""
    first, _, rest = memory.content.partition("\n")
    tagged = [unquote(tag.removeprefix(PATH)) for tag in memory.tags if tag.startswith(PATH)]
    path = tagged[0] if tagged else first
    if ALL not in memory.tags or not _is_path(path):
        return None
    tails = [unquote(tag.removeprefix(TAIL)) for tag in memory.tags if tag.startswith(TAIL)]
    text = rest if first == path else memory.content  # a person may have removed the first line
    return MemoryFile(path, text + "".join(tails), memory.id)


def is_below(path: str, folder: str) -> bool:
    """Return whether a path is in a folder, at whatever depth."""
    return path.startswith(f"{folder}/")


def render_folder(folder: str, files: Iterable[MemoryFile]) -> str:
    """Return the listing of a folder, up to two levels deep, without hidden files."""
    sizes: dict[str, int] = {}
    for file in files:
        size, labels = len(file.text.encode()), file.path.removeprefix(f"{folder}/").split("/")
        if any(label.startswith(".") for label in labels):
            continue
        for depth in range(1, min(len(labels), LEVELS_SHOWN) + 1):
            name = "/".join(labels[:depth]) + ("/" if depth < len(labels) else "")
            sizes[name] = sizes.get(name, 0) + size
    total = sum(size for name, size in sizes.items() if name.rstrip("/").count("/") == 0)
    lines = [f"{_size(total)}\t{folder}", *(f"{_size(sizes[name])}\t{folder}/{name}" for name in sorted(sizes))]
    said = f"Here're the files and directories up to 2 levels deep in {folder}, excluding hidden items:"
    return "\n".join([said, *lines])


def render_file(file: MemoryFile, view_range: list[int] | None) -> str:
    """Return the lines of a file with their numbers, or those of a range whose end may be -1."""
    lines = file.text.split("\n")
    first, last = 1, len(lines)
    if view_range and len(view_range) == 2:
        first, last = max(1, view_range[0]), len(lines) if view_range[1] == -1 else view_range[1]
    shown = _numbered(lines, first, last)
    return "\n".join([f"Here's the content of {file.path} with line numbers:", *shown])


def replaced_text(file: MemoryFile, old: str, new: str) -> str:
    """Return the text with the one occurrence of `old` replaced. Raises FilePathError where there is not just one."""
    count = file.text.count(old) if old else 0
    if count == 0:
        raise FilePathError(f"No replacement was performed, old_str `{old}` did not appear verbatim in {file.path}.")
    if count > 1:
        lines = ", ".join(str(number) for number in _lines_with(file.text, old))
        raise FilePathError(
            f"No replacement was performed. Multiple occurrences of old_str `{old}` in lines: {lines}. "
            "Please ensure it is unique"
        )
    return file.text.replace(old, new)


def render_change(text: str, at: int) -> str:
    """Return the lines around a change at a character of the text."""
    number = text[:at].count("\n") + 1
    said = "The memory file has been edited. Here is the snippet showing the change (with line numbers):"
    return "\n".join([said, *_numbered(text.split("\n"), max(1, number - LINES_AROUND), number + LINES_AROUND)])


def inserted_text(file: MemoryFile, line: int, text: str) -> str:
    """Return the text with lines inserted behind a line; 0 is the beginning. Raises FilePathError for another one."""
    lines = file.text.split("\n")
    if lines[-1] == "":
        lines.pop()
    if not 0 <= line <= len(lines):
        raise FilePathError(
            f"Invalid `insert_line` parameter: {line}. It should be within the range [0, {len(lines)}]."
        )
    lines.insert(line, text.rstrip("\n"))
    return "\n".join(lines).removesuffix("\n") + "\n"


def moved_paths(files: Mapping[str, MemoryFile], old: str, new: str) -> dict[str, str]:
    """Return the new path of each file that a renaming moves: the file itself, or all files of a folder."""
    if old in files:
        return {old: new}
    return {path: new + path.removeprefix(old) for path in files if is_below(path, old)}


def _is_path(path: str) -> bool:
    """Return whether a file can have this path: what others have stored begins no line of a listing."""
    return path.startswith(f"{ROOT}/") and path.isprintable() and posixpath.normpath(path) == path


def _numbered(lines: list[str], first: int, last: int) -> list[str]:
    shown = enumerate(lines[first - 1 : last], start=first)
    return [f"{number:>{LINE_NUMBER_WIDTH}}\t{line}" for number, line in shown]


def _lines_with(text: str, part: str) -> list[int]:
    found, at = [], text.find(part)
    while at != -1:
        found.append(text[:at].count("\n") + 1)
        at = text.find(part, at + 1)
    return found


def _size(count: int) -> str:
    if count < 1_024:
        return f"{count}B"
    return f"{count / 1_024:.1f}K" if count < 1_024**2 else f"{count / 1_024**2:.1f}M"
