"""Walking over a graph level by level. Pure: the source of adjacent nodes is a parameter.

Level by level, and not one query for all: a recursive query and a variable-length path both go over a hub again for
every way that leads to it, while a walk goes over each node once. And what two stores answer is the same by
construction, because they are only asked which nodes lie next to some others.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol
from uuid import UUID


class Direction(StrEnum):
    """Which way edges are followed: with them, against them, or either way."""

    BOTH = "both"
    OUT = "out"
    IN = "in"


class Adjacency(Protocol):
    """What is walked over."""

    def adjacent_ids(self, ids: Collection[UUID], *, direction: Direction, most: int) -> Sequence[UUID]:
        """Return the nodes that one edge leads to from any of these, each once, by their ids; the first `most`."""
        ...


@dataclass(frozen=True, slots=True)
class Reached:
    """Nodes by their distance from the start, nearest first; `is_complete` is False where `most` was reached."""

    distances: Mapping[UUID, int]
    is_complete: bool


def reach(
    terrain: Adjacency, start: UUID, *, depth: int, direction: Direction, most: int, hidden: Collection[UUID] = ()
) -> Reached:
    """Everything within `depth` edges of the start, at most `most` nodes, the start not counted.

    Of a level that does not fit, the smallest ids are taken. `hidden` nodes count as absent.
    """
    walk = _Walk(terrain, start, direction, frozenset(hidden))
    for _ in range(depth):
        if not walk.step(most=most) or not walk.is_complete:
            break
    return Reached({node: distance for node, distance in walk.seen.items() if distance}, walk.is_complete)


@dataclass(frozen=True, slots=True)
class FoundPath:
    """The levels of a shortest way: its first node alone, then what may come next, …, its last node alone.

    Any neighbours in successive levels make a shortest path. `levels` is empty where there is none within the bound;
    `is_complete` is False where the search ended before it could know.
    """

    levels: Sequence[frozenset[UUID]] = ()
    is_complete: bool = True


def shortest_path(
    terrain: Adjacency, start: UUID, end: UUID, *, max_depth: int, most: int, hidden: Collection[UUID] = ()
) -> FoundPath:
    """Search from both ends, always from the smaller side, until they meet; at most `most` nodes are looked at."""
    if start == end:
        return FoundPath((frozenset({start}),))
    near = _Walk(terrain, start, Direction.BOTH, frozenset(hidden))
    far = _Walk(terrain, end, Direction.BOTH, frozenset(hidden))
    for _ in range(max_depth):
        walk, other = (near, far) if len(near.levels[-1]) <= len(far.levels[-1]) else (far, near)
        if not walk.step(most=most - len(other.seen)):
            return FoundPath(is_complete=walk.is_complete)
        # The walks have not met before, so they can only meet where both have come to just now.
        if meeting := walk.levels[-1] & other.levels[-1]:
            return FoundPath((*near.levels[:-1], frozenset(meeting), *reversed(far.levels[:-1])))
        if not walk.is_complete:
            return FoundPath(is_complete=False)
    return FoundPath()


@dataclass(slots=True)
class _Walk:
    terrain: Adjacency
    start: UUID
    direction: Direction
    hidden: frozenset[UUID]
    is_complete: bool = True
    seen: dict[UUID, int] = field(init=False)
    levels: list[frozenset[UUID]] = field(init=False)

    def __post_init__(self) -> None:
        self.seen = {self.start: 0}
        self.levels = [frozenset({self.start})]

    def step(self, *, most: int) -> bool:
        """Go one level on, to at most `most` nodes in all; False where nothing new lies next to the last one."""
        room = most - (len(self.seen) - 1)
        known = len(self.seen) + len(self.hidden)
        # One more than there is room for, next to all that is known, tells whether the level fits.
        found = self.terrain.adjacent_ids(self.levels[-1], direction=self.direction, most=known + room + 1)
        new = [node for node in found if node not in self.seen and node not in self.hidden]
        self.is_complete = self.is_complete and len(new) <= room
        level = new[: max(room, 0)]
        self.levels.append(frozenset(level))
        self.seen.update(dict.fromkeys(level, len(self.levels) - 1))
        return bool(level)
