"""Markdown files: each section becomes a memory that begins with its headings. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from workspace_memory.importing import front_matter
from workspace_memory.importing.items import (
    MAX_CHARACTERS_OF_A_MEMORY,
    Item,
    MemoryItem,
    Skipped,
    check_memory,
    not_kept,
    tags_of,
)

_HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*#*\s*$")
_FENCE = re.compile(r"^\s*(```|~~~)")


def sections(text: str, where: str) -> Iterator[Item]:
    """The sections of one file, tagged with its name and its own tags; a long one is taken apart between paragraphs.

    What stands above the first heading begins with the title that the front matter gives it.
    """
    about, body = front_matter.split(text.replace("\r\n", "\n"))
    memory = MemoryItem("", tags_of(where, *about.tags), about.at, about.changed_at)
    above = text.count("\n") - body.count("\n")
    for line, piece in _numbered_pieces(body, where, memory, about.title):
        yield replace(piece, where=f"{piece.where} (line {above + line})")
    yield from not_kept(where, about.left)


def pieces(text: str, where: str, memory: MemoryItem, *, title: str = "") -> Iterator[Item]:
    """The sections of a text as memories that are like this one; `title` is the heading of what has none of its own."""
    yield from (piece for _, piece in _numbered_pieces(text, where, memory, title))


def _numbered_pieces(
    text: str, where: str, memory: MemoryItem, title: str
) -> Iterator[tuple[int, MemoryItem | Skipped]]:
    """The sections as in `pieces`, each with the line of its heading, the first being 1."""
    for line, headings, lines in _split(text):
        body = "\n".join(lines).strip()
        if not body:
            continue
        heading = " › ".join(headings) or title
        most = MAX_CHARACTERS_OF_A_MEMORY - len(heading) - 2
        for piece in _pieces(body, most):
            content = f"{heading}\n\n{piece}" if heading else piece
            yield line, check_memory(f"{where}#{heading}", replace(memory, content=content))


def _split(text: str) -> Iterator[tuple[int, list[str], list[str]]]:
    """Each stretch of lines below the same headings, which are given from the outermost on, and where it begins."""
    headings: list[tuple[int, str]] = []
    lines: list[str] = []
    is_code, begins = False, 1
    for number, line in enumerate(text.split("\n"), start=1):
        is_code ^= bool(_FENCE.match(line))
        found = None if is_code else _HEADING.match(line)
        if not found:
            lines.append(line)
            continue
        yield begins, [title for _, title in headings], lines
        lines, level, begins = [], len(found[1]), number
        headings = [*(outer for outer in headings if outer[0] < level), (level, found[2])]
    yield begins, [title for _, title in headings], lines


def _pieces(body: str, most: int) -> Iterator[str]:
    """The text in pieces of at most `most` characters, whole paragraphs where they fit."""
    piece = ""
    for paragraph in body.split("\n\n"):
        if piece and len(piece) + len(paragraph) + 2 > most:
            yield piece
            piece = ""
        piece = f"{piece}\n\n{paragraph}" if piece else paragraph
    yield piece  # a single paragraph that is too long is refused by the reader
