"""Admission control: a limit to what runs at the same time, of which one client or workspace gets at most half."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from core.errors import OverloadedError, TooManyRequestsError
from core.fair_shares import half

# A burst is through by then.
RETRY_AFTER_SECONDS = 2


class TooManyAtOnceError(TooManyRequestsError):
    """One workspace, or one address, has half of what this server does at the same time."""

    code = "too_many_at_once"
    title = "Too many requests of this workspace or address are running. Wait for some of them, then try again."


class Admission:
    """A counter of what runs, in all and for each holder, used by the event loop and by threads.

    A holder is whatever is counted as one: the workspace of a key, the network of a client without one.
    """

    def __init__(self, max_admitted: int) -> None:
        self._max_admitted = max_admitted
        self._max_of_holder = half(max_admitted)
        self._admitted: Counter[str] = Counter()
        self._lock = Lock()

    def admit(self, holder: str) -> None:
        """Count one in. Raises TooManyAtOnceError for a holder that has its share, OverloadedError beyond the limit."""
        with self._lock:
            if self._admitted[holder] >= self._max_of_holder:
                raise TooManyAtOnceError(retry_after=RETRY_AFTER_SECONDS)
            if self._admitted.total() >= self._max_admitted:
                raise OverloadedError()
            self._admitted[holder] += 1

    def release(self, holder: str) -> None:
        """Count one out."""
        with self._lock:
            self._admitted[holder] -= 1
            if not self._admitted[holder]:
                del self._admitted[holder]

    @contextmanager
    def hold_place(self, holder: str) -> Iterator[None]:
        """Count one in, and out at the end. Raises as `admit` does."""
        self.admit(holder)
        try:
            yield
        finally:
            self.release(holder)
