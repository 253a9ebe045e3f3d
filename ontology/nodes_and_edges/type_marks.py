"""Shape and hue of each type of node, the same on every page of a workspace. Pure.

A type begins at a place that follows from its name and takes the next free one, in the order in which types were
registered: a type that comes later changes no mark. Up to 64 types differ from each other, the first eight of them both
in shape and in hue. The name of the type stands next to its mark, or in the legend: nothing is said by the mark alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from zlib import crc32

SHAPES = ("circle", "square", "diamond", "triangle", "hexagon", "star", "cross", "wedge")
HUES = 8  # --hue-0 to --hue-7 in static/css/tokens.css, at least 3:1 on every surface
PLACES = len(SHAPES) * HUES


@dataclass(frozen=True, slots=True)
class TypeMark:
    """How nodes of a type are drawn."""

    shape: str
    hue: int


def assign_marks(types: Iterable[str]) -> dict[str, TypeMark]:
    """Return the mark of each type; `types` in the order in which they were registered, deleted ones among them."""
    taken: set[int] = set()
    hues: set[int] = set()
    shapes: set[str] = set()
    marks: dict[str, TypeMark] = {}
    for name in types:
        if name in marks:
            continue
        place = _first_place(name)
        if len(taken) < PLACES:
            # As long as there are hues and shapes that no type has, a type gets both.
            while place in taken or not _is_new(_mark_of_place(place), hues, shapes):
                place = (place + 1) % PLACES
            taken.add(place)
            hues.add(_mark_of_place(place).hue)
            shapes.add(_mark_of_place(place).shape)
        marks[name] = _mark_of_place(place)
    return marks


def _is_new(mark: TypeMark, hues: set[int], shapes: set[str]) -> bool:
    """Return whether no type has the hue or the shape of a mark yet; where all are in use, any may be used again."""
    return (mark.hue not in hues or len(hues) == HUES) and (mark.shape not in shapes or len(shapes) == len(SHAPES))


def type_mark(name: str) -> TypeMark:
    """Return the mark of a type that is not in the catalogue."""
    return _mark_of_place(_first_place(name))


def _first_place(name: str) -> int:
    return crc32(name.casefold().encode()) % PLACES


def _mark_of_place(place: int) -> TypeMark:
    # Successive places differ in both, so that namesakes of a hash do not look alike.
    return TypeMark(SHAPES[place % len(SHAPES)], (place + place // len(SHAPES)) % HUES)
