"""Sections of a Markdown text: the text below each of its headings, and replacing it. Pure.

Sections have headings of the first level, or of the second where the text has none of the first. What looks like a
heading in a code fence, or behind a backslash, is text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

MAX_HEADING_CHARACTERS = 120

# The blanks at the end are taken off by hand: a pattern for them would look at each blank of the text again.
_HEADING = re.compile(r"(#{1,6}) +(\S.*)")
# CommonMark: up to three spaces, then three or more of one character; behind backticks no other backtick.
_FENCE = re.compile(r" {0,3}(?P<marks>`{3,}|~{3,})(?P<info>.*)")
_LABEL = re.compile(r"[-*+] +(?:\*\*[^*]{1,200}\*\*:|\*\*[^*]{1,200}:\*\*|[^\s*:][^*:]{0,200}:) *")


def split_lines(markdown: str) -> list[str]:
    """Return the lines of a Markdown text, whichever way they are broken."""
    return markdown.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def parse_heading(line: str) -> tuple[int, str] | None:
    """Return the level and the text of a heading outside of code; None for any other line."""
    found = _HEADING.fullmatch(line)
    return (len(found[1]), found[2].rstrip(" ")) if found else None


def is_label(line: str) -> bool:
    """Return whether a line is a bullet with a label and nothing behind it, such as `- **Role**:`."""
    return _LABEL.fullmatch(line) is not None


def section_level(markdown: str) -> int:
    """Return the level of the headings that begin sections, 1 or 2."""
    outside = (line for line, is_code in mark_code(split_lines(markdown)) if not is_code)
    levels = {found[0] for line in outside if (found := parse_heading(line))}
    return 2 if 2 in levels and 1 not in levels else 1


def parse_sections(markdown: str) -> dict[str, str]:
    """Return the text below each heading, in order; what stands before the first has the heading ''."""
    level = section_level(markdown)
    texts: dict[str, list[list[str]]] = {"": [[]]}
    lines = texts[""][0]
    for line, is_code in mark_code(split_lines(markdown)):
        found = None if is_code else parse_heading(line)
        if found and found[0] == level:
            lines = []
            texts.setdefault(found[1], []).append(lines)
        else:
            lines.append(line if is_code else _unescape(line, level))
    joined = {
        heading: "\n".join(filter(None, ("\n".join(part).strip() for part in parts)))
        for heading, parts in texts.items()
    }
    return {heading: text for heading, text in joined.items() if text or heading}


def with_sections(markdown: str, changes: Mapping[str, str]) -> str:
    """Return the Markdown with these sections replaced, new ones at the end, and those with an empty text left out.

    A line of a text that would begin a section gets a backslash, and a code fence that is left open is closed.
    """
    level = section_level(markdown)
    sections = {**parse_sections(markdown), **{heading: text.strip() for heading, text in changes.items()}}
    kept = [(heading, _as_text(text, level)) for heading, text in sections.items() if text or heading not in changes]
    mark = "#" * level
    return "\n\n".join(f"{mark} {heading}\n{text}".strip() if heading else text for heading, text in kept) + "\n"


def mark_code(lines: Iterable[str]) -> Iterator[tuple[str, bool]]:
    """Yield each line, and whether it belongs to a code fence; one that is left open goes on to the end."""
    return ((line, is_code) for line, is_code, _ in _track_fences(lines))


def _track_fences(lines: Iterable[str]) -> Iterator[tuple[str, bool, str]]:
    """Yield each line, whether it belongs to a code fence, and the marks of the fence that is open behind it."""
    fence = ""
    for line in lines:
        found = _FENCE.fullmatch(line)
        if fence:
            closes = found and found["marks"].startswith(fence) and not found["info"].strip()
            fence = "" if closes else fence
            yield line, True, fence
        else:
            if found and not (found["marks"][0] == "`" and "`" in found["info"]):
                fence = found["marks"]
            yield line, bool(fence), fence


def _as_text(text: str, level: int) -> str:
    """Return a text as it stands below a heading, without lines that would begin another section."""
    tracked = [*_track_fences(split_lines(text))]
    lines, fence = [line if is_code else _escape(line, level) for line, is_code, _ in tracked], tracked[-1][2]
    return "\n".join([*lines, fence] if fence else lines)


def _escape(line: str, level: int) -> str:
    return f"\\{line}" if re.match(rf"\\*#{{1,{level}}} +\S", line) else line


def _unescape(line: str, level: int) -> str:
    return line[1:] if re.match(rf"\\+#{{1,{level}}} +\S", line) else line
