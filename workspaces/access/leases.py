"""Leases: the exclusive right to a piece of work, for longer than a transaction.

`docs/why/exclusion.md` says when to use one, and when an advisory lock. A lease is a row with a holder and an end.
Taking, renewing and releasing it are short transactions of their own, so the work may call models, the graph and other
servers. The lease of a process that died runs out.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models.expressions import RawSQL

from core.ids import new_id
from workspaces.access.callers import Caller
from workspaces.access.scope import workspace_scope
from workspaces.models import Lease

# Of several at once one inserts or updates the row. The database's clock is the same for every host.
_TAKE = """
INSERT INTO leases AS known (id, workspace_id, name, holder, until)
VALUES (%(id)s, %(workspace)s, %(name)s, %(holder)s, clock_timestamp() + make_interval(secs => %(seconds)s))
    ON CONFLICT (workspace_id, name) DO UPDATE SET holder = excluded.holder, until = excluded.until
 WHERE known.until <= clock_timestamp() OR known.holder = excluded.holder
"""


@dataclass(frozen=True, slots=True)
class HeldLease:
    """A lease that was taken. It may have run out since: `renew` and `is_current` say so."""

    caller: Caller
    name: str
    holder: UUID
    seconds: float

    def renew(self) -> bool:
        """Hold it for its time from now on; return False where another holder has taken it meanwhile."""
        return _take(self)

    def is_current(self) -> bool:
        """Return whether it is still held, in the caller's open scope; no other holder can take it until that ends."""
        mine = Lease.objects.of(self.caller).filter(name=self.name, holder=self.holder)
        current = mine.filter(until__gt=RawSQL("clock_timestamp()", []))
        return current.select_for_update().exists()

    def release(self) -> None:
        """Give it back, so that the next holder need not wait for its end."""
        with workspace_scope(self.caller):
            mine = Lease.objects.of(self.caller).filter(name=self.name, holder=self.holder)
            mine.delete()


def take_lease(*, caller: Caller, name: str, seconds: float, holder: UUID | None = None) -> HeldLease | None:
    """Take the lease of this name in the caller's workspace; None while another holder has it.

    With the `holder` of a former lease, which may be that of another process, take that one over.
    """
    lease = HeldLease(caller, name, holder or new_id(), seconds)
    return lease if _take(lease) else None


@contextmanager
def hold_lease(*, caller: Caller, name: str, seconds: float) -> Iterator[HeldLease | None]:
    """Hold a lease for the block; None while another holder has it."""
    lease = take_lease(caller=caller, name=name, seconds=seconds)
    try:
        yield lease
    finally:
        if lease:
            lease.release()


def _take(lease: HeldLease) -> bool:
    values: dict[str, Any] = {"id": new_id(), "workspace": lease.caller.workspace_id, "name": lease.name}
    with workspace_scope(lease.caller), connection.cursor() as cursor:
        cursor.execute(_TAKE, {**values, "holder": lease.holder, "seconds": lease.seconds})
        return bool(cursor.rowcount)
