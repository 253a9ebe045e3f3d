"""Updates and traps in everyday English: sets that were looked at once, and lines that rules were made with.

A line of the files is a pair: the older text, ` | `, the newer one. `first_look` and `second_look` were written by the
author of the rules, the three others by three who knew none of them; each was measured once before
the rules were mended after it, and docs/why/truth.md has those figures. What is measured now is what the rules were
built from.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
TRAPS_BEGIN = "% traps"


@dataclass(frozen=True, slots=True)
class NewCase:
    """A pair of texts and its kind; `is_update` says that the newer one replaces the older one."""

    kind: str
    old: str
    new: str
    is_update: bool


def first_look() -> list[NewCase]:
    """Return the 120 updates and 100 traps of the first look."""
    return list(_both("replacement_first_look.txt"))


def second_look() -> list[NewCase]:
    """Return the 120 updates and 90 traps of the second look."""
    return list(_both("replacement_second_look.txt"))


def third_look() -> list[NewCase]:
    """Return the 120 updates and 144 traps of the third look."""
    return list(_both("replacement_third_look.txt"))


def fourth_look() -> list[NewCase]:
    """Return the 120 updates and 100 traps of the fourth look."""
    return list(_both("replacement_fourth_look.txt"))


def fifth_look() -> list[NewCase]:
    """Return the 60 updates and 100 traps of the fifth look."""
    return list(_both("replacement_fifth_look.txt"))


def fitted() -> list[NewCase]:
    """Return the lines that rules were made with."""
    updates = _lines((HERE / "replacement_fitted_updates.txt").read_text(), is_update=True)
    traps = _lines((HERE / "replacement_fitted_traps.txt").read_text(), is_update=False)
    return [*updates, *traps]


def _both(name: str) -> Iterator[NewCase]:
    updates, traps = (HERE / name).read_text().split(TRAPS_BEGIN)
    yield from _lines(updates, is_update=True)
    yield from _lines(traps, is_update=False)


def _lines(text: str, *, is_update: bool) -> Iterator[NewCase]:
    kind = ""
    for line in text.strip().splitlines():
        if line.startswith("# "):
            kind = line[2:]
        else:
            old, new = line.split(" | ")
            yield NewCase(kind, old, new, is_update)
