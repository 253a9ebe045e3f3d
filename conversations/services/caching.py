"""What a process keeps of blocks that it has read; they never change, so nothing is ever out of date."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock
from uuid import UUID

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Members:
    """The messages of some blocks, one block after the other: ids, traits, the numbers of their sessions, and the
    place at which each block begins."""

    blocks: tuple[UUID, ...]
    ids: NDArray[np.void]
    traits: NDArray[np.void]
    sessions: NDArray[np.intp]
    begins: NDArray[np.intp]


class BlockCache:
    """The members of the blocks that were used last, by the ids of all blocks of a workspace.

    Only ids that row security has let through may be asked for. A message takes about 60 bytes.
    """

    def __init__(self, *, most_messages: int) -> None:
        self._most_messages = most_messages
        self._lock = Lock()
        self._members: OrderedDict[tuple[UUID, ...], Members] = OrderedDict()

    def get(self, blocks: tuple[UUID, ...]) -> Members | None:
        with self._lock:
            if blocks in self._members:
                self._members.move_to_end(blocks)
            return self._members.get(blocks)

    def put(self, blocks: tuple[UUID, ...], members: Members) -> None:
        with self._lock:
            # What the workspace had before it got another block is of no use any more.
            for known in [known for known in self._members if known[0] == blocks[0]]:
                del self._members[known]
            self._members[blocks] = members
            while sum(len(kept.ids) for kept in self._members.values()) > self._most_messages:
                self._members.popitem(last=False)
