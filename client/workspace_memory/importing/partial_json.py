"""Reading JSON that may be cut off: what is whole is read, the rest is skipped and said so."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from workspace_memory.importing.items import Skipped

MAX_CHARACTERS_OF_A_LINE = 32_000_000
_GAP = re.compile(r"[\s,]*")


def elements(text: str, where: str) -> Iterator[tuple[int, Any]]:
    """The elements of a JSON array one by one, or the only value, each with the character at which it begins; where
    the text breaks off, a Skipped."""
    before = _GAP.match(text)
    place = before.end() if before else 0
    is_list = text[place : place + 1] == "["
    place += is_list
    decoder, number = json.JSONDecoder(), 0
    while True:
        gap = _GAP.match(text, place)
        place = gap.end() if gap else place
        if place >= len(text):
            if is_list or number == 0:
                yield place, Skipped(f"{where}[{number}]", "truncated", "The file ends before its list does.")
            return
        if is_list and text[place] == "]":
            return
        start = place
        try:
            value, place = decoder.raw_decode(text, start)
        except (ValueError, RecursionError) as error:
            yield start, Skipped(f"{where}[{number}]", "broken_json", f"From here on it is not JSON ({error}).")
            return
        yield start, value
        number += 1


def is_lines(text: str) -> bool:
    """Whether a text is JSON Lines: its first line is an object, and there are more."""
    first, newline, rest = text.lstrip().partition("\n")
    if not (newline and rest.strip() and first.startswith("{")):
        return False
    try:
        return isinstance(json.loads(first), dict)
    except (ValueError, RecursionError):
        return False


def lines(found: Iterable[str], where: str) -> Iterator[tuple[str, Any]]:
    """The value of each line of JSON Lines with where it stands; for a broken one a Skipped."""
    for number, line in enumerate(found, start=1):
        place = f"{where}:{number}"
        if len(line) > MAX_CHARACTERS_OF_A_LINE:
            yield place, Skipped(place, "too_long", f"The line has {len(line):,} characters.")
        elif line.strip():
            try:
                yield place, json.loads(line)
            except (ValueError, RecursionError) as error:
                yield place, Skipped(place, "broken_json", f"The line is not JSON ({error}).")
