"""Erasing a space: every row of it in every table and its working slots, in short transactions.

`Space.erasing_since` says that it goes on: what a killed worker leaves, the schedule takes up. Nothing is finished
before a last look, in the transaction that says so, finds no row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import partial
from typing import Any, Self
from uuid import UUID

from django.db import IntegrityError
from django.db.models import Q

from conversations.models import Conversation
from core.clock import utc_now
from core.errors import ConflictError
from core.stores.queue import nudge_after_commit
from memory.memories.proposals.services import delete_proposals_of_space
from memory.memories.sessions.services import erase_sessions, session_spaces
from memory.models import Memory, Proposal
from memory.working_memory.services.volatile_slots import count_slots, erase_slots
from ontology.models import Edge, GraphOutbox, Node, Projected
from ontology.nodes_and_edges.services.outbox import PROJECT_TASK, announce_edges, announce_nodes
from telemetry.live.services.publisher import forget_events
from telemetry.models import Action, Benchmark, Pattern
from telemetry.models import Sequence as SequenceRow
from transfer.erasure.services.erasure_rights import require_eraser
from workspaces.access.audit import record_event
from workspaces.access.callers import Caller, maintenance_caller
from workspaces.access.scope import workspace_scope
from workspaces.access.space_registry import find_space
from workspaces.access.space_tables import ErasedTable, delete_locked, list_space_tables, select_rows
from workspaces.access.spaces import SHARED
from workspaces.access.unique_tasks import enqueue_once
from workspaces.http.idempotency import purge_responses
from workspaces.models import Space

ERASE_TASK = "transfer.erasure.tasks.erase_space"
# At most this number of rows are deleted in one transaction, so that its locks are short.
ERASED_AT_ONCE = 1_000
# A space of this many rows is erased while the caller waits; a larger one by the worker.
ERASED_DIRECTLY = 2_000
# What is written while it is erased goes as well; after this number of looks the worker goes on.
MAX_LOOKS = 5
# What the working tier holds of a space, where the other counts have the name of a table.
WORKING_SLOTS = "working_slots"
PROJECTED: Mapping[type[Any], str] = {
    SequenceRow: Projected.SEQUENCE,
    Action: Projected.ACTION,
    Pattern: Projected.PATTERN,
    Benchmark: Projected.BENCHMARK,
}


class NotErasableError(ConflictError):
    """What is shared belongs to everybody in the workspace."""

    code = "not_erasable"
    title = "`shared` belongs to everybody in the workspace and is not erased. Name another space."


class ErasureStatus(StrEnum):
    """Counted in a rehearsal, under way, or done."""

    COUNTED = "counted"
    ERASING = "erasing"
    ERASED = "erased"


@dataclass(frozen=True, slots=True)
class Erasure:
    """What is erased of a space: rows by table, and the number of copies of it that other spaces accepted and keep."""

    space: str
    status: ErasureStatus
    rows: Mapping[str, int]
    copies: int
    requested_by: str = ""
    requested_at: datetime | None = None
    finished_at: datetime | None = None

    @classmethod
    def of(cls, space: Space) -> Self | None:
        """Return the last erasure of a space; None where there was none."""
        if not (kept := space.erasure):
            return None
        is_done = space.erasing_since is None
        return cls(
            space.name,
            ErasureStatus.ERASED if is_done else ErasureStatus.ERASING,
            kept["rows"],
            kept["copies"],
            kept["requested_by"],
            datetime.fromisoformat(kept["requested_at"]),
            space.erased_at if is_done else None,
        )

    @property
    def total(self) -> int:
        return sum(self.rows.values())


def count_erasure(*, caller: Caller, name: str) -> Erasure:
    """Count what erasing a space would delete, and change nothing. Raises what `erase_space` raises."""
    space = _access_erasable(caller, name)
    everywhere = maintenance_caller(caller.workspace_id, "erasure")
    with workspace_scope(everywhere):
        spaces = [space.id, *session_spaces(workspace_id=space.workspace_id, space_id=space.id)]
        rows = {
            table.name: table.all_rows(workspace_id=space.workspace_id, spaces=spaces).count()
            for table in list_space_tables()
        }
        elsewhere = select_rows(Proposal).filter(workspace_id=space.workspace_id, origin_space=space.name)
        rows[str(Proposal._meta.db_table)] += elsewhere.exclude(space_id=space.id).count()
        copies = _count_copies(space)
    rows[WORKING_SLOTS] = count_slots(workspace_id=space.workspace_id, space_id=space.id)
    counted = {name: number for name, number in sorted(rows.items()) if number}
    return Erasure(space.name, ErasureStatus.COUNTED, counted, copies)


def erase_space(*, caller: Caller, name: str) -> Erasure:
    """Delete for good everything that belongs to a space: a large one in the background; again, to go on with it.

    What other spaces have accepted of it stays with them. Raises NotFoundError for a space that nothing was written
    into, NotErasableError for `shared`, MissingScopeError without `admin`, SpaceNotAllowedError for a key that is bound
    to spaces, OwnerRequiredError for a person who is not an owner, and RedisUnavailableError.
    """
    counted = count_erasure(caller=caller, name=name)
    space = _access_erasable(caller, name)
    if not counted.total and space.erased_at and space.erasing_since is None:
        return Erasure.of(space) or counted  # the receipt of what was erased stays
    space = _begin(caller, space)
    if counted.total <= ERASED_DIRECTLY:
        for _ in range(MAX_LOOKS):
            with suppress(IntegrityError):  # something was added to what it deleted: look again
                if erase_some(workspace_id=space.workspace_id, space_id=space.id, most=2 * ERASED_DIRECTLY):
                    break
    with workspace_scope(caller):
        space = Space.objects.of(caller).get(id=space.id)
        if space.erasing_since is not None:
            enqueue_once(ERASE_TASK, caller=caller, subject=str(space.id))
    return Erasure.of(space) or counted


def erase_some(*, workspace_id: UUID, space_id: UUID, most: int) -> bool:
    """Delete about this number of rows of a space that is being erased; True once it is done.

    Raises RedisUnavailableError where its working slots cannot be reached; then it is not done.
    """
    caller = maintenance_caller(workspace_id, "erasure")
    deleted = 0
    for table in list_space_tables():
        for which in table.conditions(workspace_id=workspace_id, spaces=[space_id]):
            while number := _erase_rows(caller, space_id, table, which):
                deleted += number
                if deleted >= most:
                    return False
    return _finish(caller, space_id)


def unfinished_erasures(*, workspace_id: UUID) -> list[UUID]:
    """Return the spaces of a workspace that are being erased."""
    caller = maintenance_caller(workspace_id, "erasure")
    with workspace_scope(caller):
        return list(Space.objects.of(caller).filter(erasing_since__isnull=False).values_list("id", flat=True))


def _access_erasable(caller: Caller, name: str) -> Space:
    if name == str(SHARED):
        raise NotErasableError()
    require_eraser(caller)
    return find_space(caller, name)


def _begin(caller: Caller, space: Space) -> Space:
    with workspace_scope(caller):
        row = Space.objects.of(caller).select_for_update().get(id=space.id)
        if row.erasing_since is None:
            row.erasing_since = now = utc_now()
            row.erasure = {"requested_by": caller.signature, "requested_at": now.isoformat(), "rows": {}, "copies": 0}
            row.save(update_fields=["erasing_since", "erasure"])
            _record(caller, "space.erasing", row)
    return row


def _erase_rows(caller: Caller, space_id: UUID, table: ErasedTable, which: Q) -> int:
    """Delete a batch of rows, tell the graph, and add them to the receipt; return their number."""
    with workspace_scope(caller):
        space = _lock_erasing(caller, space_id)
        if space is None:
            return 0
        rows = table.rows(workspace_id=caller.workspace_id, which=which).order_by("pk")
        ids = list(rows.select_for_update(of=("self",)).values_list("pk", flat=True)[:ERASED_AT_ONCE])
        if ids:
            delete_locked(table, workspace_id=space.workspace_id, ids=ids, before=partial(_before_deletion, space))
    return len(ids)


def _before_deletion(space: Space, table: ErasedTable, ids: Sequence[UUID]) -> None:
    """Tell the graph, count the rows, and erase what was written for conversations among them."""
    if table.model is Conversation:
        for name, number in erase_sessions(workspace_id=space.workspace_id, conversations=ids).items():
            _add(space, name, number)
    _announce(space.workspace_id, table, ids)
    _add(space, table.name, len(ids))


def _announce(workspace_id: UUID, table: ErasedTable, ids: Sequence[UUID]) -> None:
    """Enter what has a twin in the graph into the outbox; the relay removes twins whose rows are gone."""
    if table.model is Node:
        announce_nodes(workspace_id, ids)
    elif table.model is Edge:
        announce_edges(workspace_id, select_rows(Edge).filter(workspace_id=workspace_id, pk__in=ids))
    elif entity := PROJECTED.get(table.model):
        GraphOutbox.objects.bulk_create(
            GraphOutbox(workspace_id=workspace_id, entity=entity, entity_id=identity) for identity in ids
        )
        nudge_after_commit(PROJECT_TASK, workspace_id)


def _finish(caller: Caller, space_id: UUID) -> bool:
    """Say that the space is erased, unless something of it is still there; return whether it is."""
    slots = erase_slots(workspace_id=caller.workspace_id, space_id=space_id)
    forget_events(caller.workspace_id)
    with workspace_scope(caller):
        space = _lock_erasing(caller, space_id)
        if space is None:
            return True
        proposals = delete_proposals_of_space(workspace_id=caller.workspace_id, space=space.parsed_name)
        _add(space, str(Proposal._meta.db_table), proposals)
        _add(space, WORKING_SLOTS, slots)
        tables = (table.all_rows(workspace_id=space.workspace_id, spaces=[space_id]) for table in list_space_tables())
        if any(rows.exists() for rows in tables):
            return False
        purge_responses(caller=caller, spaces=[space_id])
        space.erasing_since, space.erased_at, space.title = None, utc_now(), ""
        space.erasure["copies"] = _count_copies(space)
        space.save(update_fields=["erasing_since", "erased_at", "title", "erasure"])
        _record(caller, "space.erased", space, rows=space.erasure["rows"])
    return True


def _lock_erasing(caller: Caller, space_id: UUID) -> Space | None:
    """Return the space, locked, in the open scope; None where it is not being erased."""
    found = Space.objects.of(caller).filter(id=space_id, erasing_since__isnull=False)
    space: Space | None = found.select_for_update().first()
    return space


def _add(space: Space, name: str, number: int) -> None:
    if number:
        rows = space.erasure["rows"]
        rows[name] = rows.get(name, 0) + number
        space.save(update_fields=["erasure"])


def _count_copies(space: Space) -> int:
    """Return the number of memories of other spaces that came out of this one by an accepted proposal."""
    copies = select_rows(Memory).filter(workspace_id=space.workspace_id, origin_space=space.name)
    return copies.exclude(space_id=space.id).count()


def _record(caller: Caller, action: str, space: Space, **details: Any) -> None:
    details = {"space": space.name, **details}
    record_event(caller=caller, action=action, object_type="space", object_id=space.id, details=details)
