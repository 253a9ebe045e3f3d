"""What an export is made of: the items that have to come in, malformed entries in between, and lists by lines."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

Entry = TypeVar("Entry")
BROKEN_LINE = '{"broken'
USUAL_SPACE = "shared"


@dataclass(frozen=True, slots=True)
class ExpectedItem:
    """What is stored of one item: the space of whose it is, and the second it is dated, where the export says so.

    `kind` is the role of a message, or what else it is. Of an edge the `text` is its ends with its type in between.
    """

    kind: str
    text: str
    space: str = USUAL_SPACE
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class WrittenExport:
    """A file, folder or archive, the items that come in, and the places under which malformed entries are reported."""

    path: Path
    expected: tuple[ExpectedItem, ...]
    malformed: tuple[str, ...] = ()

    @property
    def items(self) -> int:
        """The number of items that come in."""
        return len(self.expected)


def mix(entries: Sequence[Entry], malformed: Entry, count: int) -> tuple[list[Entry], list[int]]:
    """Put so many malformed entries in between, evenly; return all of them, and the places of the malformed ones."""
    step = max(1, len(entries) // max(1, count))
    mixed: list[Entry] = []
    places: list[int] = []
    for number, entry in enumerate(entries):
        if len(places) < count and number % step == step // 2:
            places.append(len(mixed))
            mixed.append(malformed)
        mixed.append(entry)
    return mixed, places


def listed(entries: Iterable[Any]) -> str:
    """Return a JSON array with a line for each entry, of which the first stands on the second line."""
    return "[\n" + ",\n".join(map(json.dumps, entries)) + "\n]"


def wrapped(value: dict[str, Any], entries: Iterable[Any]) -> str:
    """Return an object on one line, in which the text "ENTRIES" becomes the list of entries."""
    return json.dumps(value).replace('"ENTRIES"', listed(entries))


def write_lines(
    path: Path, entries: Sequence[Any], expected: tuple[ExpectedItem, ...], malformed: int
) -> WrittenExport:
    """Write JSON Lines with so many broken lines in between."""
    lines, places = mix([json.dumps(one) for one in entries], BROKEN_LINE, malformed)
    path.write_text("\n".join(lines))
    return WrittenExport(path, expected, tuple(f"{path.name}:{place + 1}" for place in places))
