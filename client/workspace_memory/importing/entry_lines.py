"""On which line of a JSON file an entry stands, by its place there: `[3]`, or `[0].results[5]`. Pure."""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import replace

from workspace_memory.importing.items import Item, MessageItem

_STEP = re.compile(r"\[(\d+)\]|\.(\w+)")
_GAP = re.compile(r"[\s,]*")
_COLON = re.compile(r"\s*:\s*")


class EntryLines:
    """The lines of one file's entries. Only lists and objects that a place leads through are looked into, each once."""

    def __init__(self, name: str, text: str) -> None:
        self._name = name
        self._text = text
        self._starts: list[int] = []
        self._inside: dict[int, dict[str, int]] = {}
        self._ends: list[int] | None = None
        self._decoder = json.JSONDecoder()

    def add_element(self, start: int) -> None:
        """Note where the next element of the file begins."""
        self._starts.append(start)

    def add_line(self, item: Item) -> Item:
        """Return the item with the line behind its place; a message is named by its conversation and its key."""
        if isinstance(item, MessageItem) or not item.where.startswith(f"{self._name}["):
            return item
        return replace(item, where=f"{item.where} (line {self.line_of(item.where[len(self._name) :])})")

    def line_of(self, place: str) -> int:
        """The line of the innermost entry of a place that the file has, the first being 1."""
        start, end = 0, 0
        while step := _STEP.match(place, end):
            known = self._element(step[1]) if end == 0 else self._entries(start).get(step[0])
            if known is None:
                break
            start, end = known, step.end()
        return self._line(start)

    def _element(self, number: str | None) -> int | None:
        return self._starts[int(number)] if number and int(number) < len(self._starts) else None

    def _entries(self, start: int) -> dict[str, int]:
        """Where each entry of the list or object begins that stands there, by the step that leads to it."""
        if start not in self._inside:
            self._inside[start] = dict(self._find_entries(start))
        return self._inside[start]

    def _find_entries(self, start: int) -> Iterator[tuple[str, int]]:
        opening, at, number = self._text[start : start + 1], start + 1, 0
        while opening in {"[", "{"}:
            at = self._behind(_GAP, at)
            if self._text[at : at + 1] in {"]", "}", ""}:
                return
            step = f"[{number}]"
            if opening == "{":
                name, at = self._decoder.raw_decode(self._text, at)
                step, at = f".{name}", self._behind(_COLON, at)
            yield step, at
            _, at = self._decoder.raw_decode(self._text, at)
            number += 1

    def _behind(self, pattern: re.Pattern[str], at: int) -> int:
        found = pattern.match(self._text, at)
        return found.end() if found else at

    def _line(self, start: int) -> int:
        if self._ends is None:
            self._ends = [found.start() for found in re.finditer("\n", self._text)]
        return bisect_left(self._ends, start) + 1
