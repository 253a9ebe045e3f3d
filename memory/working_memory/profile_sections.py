"""What a page of user working memory says: its sections without what is not filled in yet. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from core.text.markdown_sections import is_label, mark_code, parse_heading, parse_sections, split_lines

VERSION_CHARACTERS = 16


def content_version(markdown: str) -> str:
    """Return what stands for a page: the same for the same text, so that a writing can name what it was made from."""
    return sha256(markdown.encode()).hexdigest()[:VERSION_CHARACTERS]


def filled_sections(markdown: str) -> dict[str, str]:
    """Return what the sections say: without labels and headings below which there is nothing, and without sections in
    which nothing is left."""
    filled = {heading: _filled_text(text) for heading, text in parse_sections(markdown).items()}
    return {heading: text for heading, text in filled.items() if text}


def _filled_text(text: str) -> str:
    """Return the lines that say something. A label says so where a deeper line follows, a heading where any line does
    before one of its level."""
    kept: list[str] = []
    lines = [(line, is_code) for line, is_code in mark_code(split_lines(text)) if line.strip()]
    below = 0  # the level of the heading that was kept last, with only headings above it so far
    for place, (line, is_code) in reversed([*enumerate(lines)]):
        found = None if is_code else parse_heading(line)
        if found:
            if not kept or (below and found[0] >= below):
                continue
            below = found[0]
        elif not is_code and is_label(line.lstrip()) and not _is_deeper(lines[place + 1 : place + 2], line):
            continue
        else:
            below = 0
        kept.append(line)
    return "\n".join(reversed(kept))


def _is_deeper(following: Sequence[tuple[str, bool]], line: str) -> bool:
    """Return whether the next line is indented further, so that it belongs to the label."""
    return any(_indent(each) > _indent(line) for each, _ in following)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
