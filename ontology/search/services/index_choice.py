"""Whether a search compares all vectors of its spaces, or lets the index of vectors choose: whichever costs less."""

from __future__ import annotations

from pathlib import Path
from threading import Lock
from uuid import UUID

from cachetools import TTLCache
from django.db import connection

from core.db.named_statements import named_statements
from workspaces.access.callers import Caller

# The index holds the vectors of all workspaces, and has to pass those of others: what it costs grows with the rows of
# all for each row of one's own. Measured, it costs as much as comparing this many rows, times that fraction.
ROWS_FOR_INDEX = 9_000
REMEMBERED, REMEMBERED_SECONDS = 10_000, 60.0

_STATEMENTS = named_statements(Path(__file__).parents[1] / "queries.sql")
_choices: TTLCache[tuple[str, UUID, tuple[UUID, ...]], bool] = TTLCache(maxsize=REMEMBERED, ttl=REMEMBERED_SECONDS)
_lock = Lock()


def compares_all(*, caller: Caller, vectors: str) -> bool:
    """Return whether it is cheaper to compare all rows of a table of vectors that the caller reads, in an open scope.

    The answer is up to a minute old.
    """
    key = (vectors, caller.workspace_id, tuple(sorted(caller.reach.read)))
    with _lock:
        known = _choices.get(key)
    if known is None:
        known = _count(caller, vectors)
        with _lock:
            _choices[key] = known
    return known


def _count(caller: Caller, vectors: str) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(
            _STATEMENTS["compares_all"].format(vectors=vectors),
            {
                "vectors": vectors,
                "workspace_id": caller.workspace_id,
                "spaces": list(caller.reach.read),
                "rows_for_index": ROWS_FOR_INDEX,
            },
        )
        return bool(cursor.fetchone()[0])
