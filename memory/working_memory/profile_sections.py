"""User working memory: Markdown in sections, which an agent fills in bit by bit. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping

TEMPLATE = """\
# User Context
- **Name**:
- **Role**:
- **Organization**:

# Workflow Preferences
- **Preferred trigger types**:
- **Common integrations used**:
- **Naming conventions**:
- **Error handling patterns**:

# Current Goals
- **Active project/task**:
- **Known issues being debugged**:
- **Pending changes**:

# Instance Knowledge
- **Frequently used credentials**:
- **Key ids and names**:
- **Custom types available**:
"""

_HEADING = re.compile(r"^# +(.+?) *$", re.MULTILINE)
# A field of the template that is not filled in yet.
_EMPTY = re.compile(r"^- \*\*[^*\n]+\*\*: *$")


def parse_sections(markdown: str) -> dict[str, str]:
    """Return the text below each heading of the first level, in order; what stands before the first has the heading
    ''."""
    first, *rest = _HEADING.split(markdown)
    found = {"": first.strip()} if first.strip() else {}
    for heading, text in zip(rest[::2], rest[1::2], strict=True):
        found[heading] = "\n".join(part for part in (found.get(heading, ""), text.strip()) if part)
    return found


def with_sections(markdown: str, changes: Mapping[str, str]) -> str:
    """Return the Markdown with these sections replaced, new ones at the end, and those with an empty text left out."""
    sections = {**parse_sections(markdown), **{heading: text.strip() for heading, text in changes.items()}}
    kept = [(heading, text) for heading, text in sections.items() if text or heading not in changes]
    return "\n\n".join(f"# {heading}\n{text}".strip() if heading else text for heading, text in kept) + "\n"


def filled_sections(markdown: str) -> dict[str, str]:
    """Return what the sections say: without fields that are empty, and without sections in which nothing is left."""
    filled = {}
    for heading, text in parse_sections(markdown).items():
        lines = [line for line in text.splitlines() if line.strip() and not _EMPTY.match(line)]
        if lines:
            filled[heading] = "\n".join(lines)
    return filled
