"""What a process keeps of blocks that it has read; they never change, so nothing is ever out of date."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from threading import Lock
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

Members = tuple[NDArray[np.void], NDArray[np.void]]  # ids and traits


class BlockCache:
    """The members of the blocks that were used last. Only ids that row security has let through may be asked for."""

    def __init__(self, *, most: int) -> None:
        self._most = most
        self._lock = Lock()
        self._members: OrderedDict[UUID, Members] = OrderedDict()

    def known(self, blocks: Sequence[UUID]) -> dict[UUID, Members]:
        """Of these blocks those that are here."""
        with self._lock:
            for block in blocks:
                if block in self._members:
                    self._members.move_to_end(block)
            return {block: self._members[block] for block in blocks if block in self._members}

    def keep(self, members: Mapping[UUID, Members]) -> None:
        with self._lock:
            self._members.update(members)
            while len(self._members) > self._most:
                self._members.popitem(last=False)
