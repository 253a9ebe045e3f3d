"""Reading connections. `access_connection` is the only road from an outside id to a connection."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.db.models import Count, Q, QuerySet

from ontology.models import Connection, Node
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import reading_scope
from workspaces.access.tenancy import refuse_absent

MAX_CHIPS = 8
MAX_LISTED = 200


def some_connections(caller: Caller) -> list[Connection]:
    """Return the newest connections, as filters of the list."""
    with reading_scope(caller):
        return list(workspace_connections(caller)[:MAX_CHIPS])


@dataclass(frozen=True, slots=True)
class ConnectionShown:
    """A connection and how many nodes came through it; one that is being removed is there until that is done."""

    connection: Connection
    nodes: int = 0

    @property
    def removed_count(self) -> int:
        """Of what is to be removed; edges that others brought to its nodes go as well, and are not counted here."""
        return min(self.connection.to_remove, self.connection.removed_nodes + self.connection.removed_edges)


def recent_connections(caller: Caller) -> list[ConnectionShown]:
    """Return the workspace's connections, the newest first, with those whose removal still goes on."""
    caller.require(Right.READ)
    with reading_scope(caller):
        there = Q(is_deleted=False) | Q(removed_at=None)
        found = list(Connection.objects.of(caller).filter(there).order_by("-id")[:MAX_LISTED])
        live = Node.objects.of(caller).filter(is_deleted=False, connection__in=found)
        counts = dict(live.values_list("connection").annotate(number=Count("id")).order_by())
    return [ConnectionShown(one, counts.get(one.id, 0)) for one in found]


def workspace_connections(caller: Caller) -> QuerySet[Connection]:
    """Return the connections of the workspace, newest first, for an open scope."""
    return Connection.objects.of(caller).filter(is_deleted=False).order_by("-id")


def access_connection(caller: Caller, connection_id: UUID, *, lock: bool = False) -> Connection:
    """Return a connection of the caller's workspace, a deleted one too. Raises NotFoundError."""
    caller.require(Right.READ)
    with reading_scope(caller):
        found = Connection.objects.of(caller).filter(id=connection_id)
        # Without its key: a writer to a node of the connection may refer to it, holding what a removal waits for.
        connection: Connection | None = (found.select_for_update(no_key=True) if lock else found).first()
        return connection or refuse_absent(found, lock=lock)
