"""What a process keeps of the word index; blocks and sheets never change, so nothing that is kept is out of date."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from threading import Lock
from typing import Generic, Protocol, TypeVar

import numpy as np
from cachetools import LRUCache
from numpy.typing import NDArray

from conversations.indexing.candidates import Places, PostingColumns

Row = tuple[bytes, datetime, bytes, bytes, bytes]  # conversation, when, message; traits, postings


@dataclass(frozen=True, slots=True)
class Members:
    """The messages of some blocks, one block after the other: ids, traits, the numbers of their sessions, and the
    place at which each block begins."""

    blocks: Sequence[bytes]
    ids: NDArray[np.void]
    traits: NDArray[np.void]
    sessions: Places
    begins: Places

    @property
    def nbytes(self) -> int:
        return self.ids.nbytes + self.traits.nbytes + self.sessions.nbytes


@dataclass(frozen=True, slots=True)
class Waiting:
    """The sheets that no block has taken in: as the database has named them, as rows by message, and in order."""

    named: bytes
    rows: Mapping[bytes, Row]
    sheets: PostingColumns

    @property
    def nbytes(self) -> int:
        return 3 * self.sheets.nbytes  # a row of Python's is about twice as large


class Sized(Protocol):
    @property
    def nbytes(self) -> int: ...


Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value", bound=Sized)


class LastUsed(Generic[Key, Value]):
    """The most recently used values, up to a number of bytes.

    Only what row security has let through a moment ago may be asked for: which blocks and sheets there are, every
    search learns from the database.
    """

    def __init__(self, *, most_bytes: int) -> None:
        self._lock = Lock()
        self._values: LRUCache[Key, Value] = LRUCache(maxsize=most_bytes, getsizeof=lambda value: value.nbytes)

    def get(self, key: Key) -> Value | None:
        with self._lock:
            return self._values.get(key)

    def put(self, key: Key, value: Value) -> None:
        with self._lock:
            self._values.pop(key, None)
            if value.nbytes <= self._values.maxsize:  # one that takes more than all may take is not kept
                self._values[key] = value
