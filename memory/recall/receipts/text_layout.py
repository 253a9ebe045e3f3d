"""How a context was written, as its receipt keeps it: headings, the form of each line, digests; no text. Pure.

The lines stand for the chosen items of the receipt, in the same order.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from memory.recall.budget import Filled, LineForm, write_line

# Hexadecimal digits of a line's digest: enough to tell its version from others, too few to prove a guess of its words.
DIGITS = 8


@dataclass(frozen=True, slots=True)
class KeptLine:
    """A line of a receipt: of which thing, in which form, its digest, and the parts that it had in addition to what is
    stored."""

    id: str
    form: LineForm
    digest: str
    parts: Mapping[str, Any]

    def find_version(self, versions: Sequence[tuple[str, str]]) -> str | None:
        """Return the line as it was, out of the versions (opening, line) that the thing had; None where none fits."""
        written = (write_line(opening, line, self.form) for opening, line in versions)
        return next((each for each in written if _short_digest(each) == self.digest), None)


@dataclass(frozen=True, slots=True)
class KeptBlock:
    """A block of a receipt: its name, its heading, and its lines in order."""

    name: str
    heading: str
    lines: Sequence[KeptLine]


def hash_text(text: str) -> str:
    """Return the SHA-256 of a text in UTF-8, in hexadecimal."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def describe_layout(blocks: Sequence[Filled]) -> list[dict[str, Any]]:
    """Return what a receipt keeps of how the blocks were written."""
    return [
        {
            "block": block.name,
            "heading": block.heading,
            "lines": [
                {
                    "form": form,
                    "digest": _short_digest(write_line(item.opening, item.line, form)),
                    **({"parts": dict(item.parts)} if item.parts else {}),
                }
                for item, form in zip(block.items, block.forms, strict=True)
            ],
        }
        for block in blocks
    ]


def read_layout(layout: Sequence[Mapping[str, Any]], ids: Sequence[str]) -> list[KeptBlock]:
    """Return the blocks of a receipt, of which `ids` are those of its chosen items in order."""
    left = iter(ids)
    return [
        KeptBlock(
            block["block"],
            block["heading"],
            [
                KeptLine(next(left), LineForm(line["form"]), line["digest"], line.get("parts", {}))
                for line in block["lines"]
            ],
        )
        for block in layout
    ]


def _short_digest(text: str) -> str:
    return hash_text(text)[:DIGITS]
