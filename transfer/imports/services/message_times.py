"""Times of imported messages: those of the same moment keep the order in which they were given. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

# The least by which two stored times differ.
STEP = timedelta(microseconds=1)


def separate_times(given: Sequence[datetime | None], *, taken: Collection[datetime]) -> list[datetime | None]:
    """Return the times with each one that occurs again moved behind the last, and behind those that are taken.

    A conversation is read in the order of its times, and products write many messages with the same one.
    """
    used = set(taken)
    free: dict[datetime, datetime] = {}
    separated: list[datetime | None] = []
    for at in given:
        if at is None:
            separated.append(None)
            continue
        moved = free.get(at, at)
        while moved in used:
            moved += STEP
        used.add(moved)
        free[at] = moved + STEP
        separated.append(moved)
    return separated
