"""Shares of threads and connections, so that neither one holder nor two together have all of them. Pure."""

from __future__ import annotations

from collections import Counter


def half(limit: int) -> int:
    """Return what one holder gets of a limit: half, rounded up."""
    return -(-limit // 2)


class Shares:
    """How much of something each holder has: at most half of it, and of its last quarter nothing, once it has any.

    So two holders that take all that they get leave a quarter to others. Not safe for threads by itself.
    """

    def __init__(self, size: int) -> None:
        self._of_holder = half(size)
        self._of_those_with_any = size - size // 4
        self._taken: Counter[str] = Counter()

    def has_room(self, holder: str) -> bool:
        """Return whether the holder may take another one."""
        mine = self._taken[holder]
        return mine < self._of_holder and (not mine or self.taken < self._of_those_with_any)

    def has_spare(self, holder: str) -> bool:
        """Return whether the holder may take one that it can do without: never of the last quarter."""
        return self._taken[holder] < self._of_holder and self.taken < self._of_those_with_any

    @property
    def taken(self) -> int:
        """What all holders have together."""
        return self._taken.total()

    def take(self, holder: str) -> None:
        """Count one in."""
        self._taken[holder] += 1

    def give_back(self, holder: str) -> None:
        """Count one out."""
        self._taken[holder] -= 1
        if not self._taken[holder]:
            del self._taken[holder]
