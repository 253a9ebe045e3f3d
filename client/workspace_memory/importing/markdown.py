"""Markdown files: each section becomes a memory that begins with its headings. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from workspace_memory.importing.items import MAX_CHARACTERS_OF_A_MEMORY, Item, MemoryItem, check_memory, tag

_HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*#*\s*$")
_FENCE = re.compile(r"^\s*(```|~~~)")
_FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)


def sections(text: str, where: str) -> Iterator[Item]:
    """The sections of one file, tagged with its name; a long one is taken apart between paragraphs."""
    name = tag(where)
    for headings, lines in _split(_FRONT_MATTER.sub("", text.replace("\r\n", "\n"))):
        body = "\n".join(lines).strip()
        if not body:
            continue
        title = " › ".join(headings)
        most = MAX_CHARACTERS_OF_A_MEMORY - len(title) - 2
        for piece in _pieces(body, most):
            text = f"{title}\n\n{piece}" if title else piece
            yield check_memory(f"{where}#{title}", MemoryItem(text, tuple(filter(None, [name]))))


def _split(text: str) -> Iterator[tuple[list[str], list[str]]]:
    """Each stretch of lines below the same headings, which are given from the outermost on."""
    headings: list[tuple[int, str]] = []
    lines: list[str] = []
    is_code = False
    for line in text.split("\n"):
        is_code ^= bool(_FENCE.match(line))
        found = None if is_code else _HEADING.match(line)
        if not found:
            lines.append(line)
            continue
        yield [title for _, title in headings], lines
        lines, level = [], len(found[1])
        headings = [*(outer for outer in headings if outer[0] < level), (level, found[2])]
    yield [title for _, title in headings], lines


def _pieces(body: str, most: int) -> Iterator[str]:
    """The text in pieces of at most `most` characters, whole paragraphs where they fit."""
    piece = ""
    for paragraph in body.split("\n\n"):
        if piece and len(piece) + len(paragraph) + 2 > most:
            yield piece
            piece = ""
        piece = f"{piece}\n\n{paragraph}" if piece else paragraph
    yield piece  # a single paragraph that is too long is refused by the reader
