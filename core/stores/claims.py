"""Working a backlog off from both of its ends, so that two workers never do the same piece of it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from uuid import UUID

from core.stores import redis

# A task ends well before the queue would end it; a claim outlives the task even where the queue had to.
TURN_SECONDS = 45.0
CLAIM_SECONDS = 150


@dataclass(frozen=True, slots=True)
class WorkTurn:
    """A worker's turn at a backlog: in which order it takes what waits, and until when it takes more (monotonic)."""

    order: str = "id"
    until: float = float("inf")

    @property
    def is_over(self) -> bool:
        return time.monotonic() > self.until


WHOLE = WorkTurn()


@contextmanager
def choose_turn(backlog: str, workspace_id: UUID) -> Iterator[WorkTurn | None]:
    """Oldest first or, where somebody is at that already, newest first; None where both ends are being worked at.

    Without Redis everybody begins with the oldest: more work, never less.
    """
    for order in ("id", "-id"):
        key = redis.backlog_key(backlog, workspace_id, order)
        if redis.claim(key, seconds=CLAIM_SECONDS):
            try:
                yield WorkTurn(order, time.monotonic() + TURN_SECONDS)
            finally:
                redis.release(key)
            return
    yield None
