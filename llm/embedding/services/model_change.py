"""Making the vectors of the incoming model, switching to it in one transaction, and deleting those of a retired one."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet

from core.clock import utc_now
from core.embedding import Embedder, EmbedderError, default_embedder
from llm.embedding.selectors import ChosenEmbedders, forget_active_embedder, read_embedders
from llm.embedding.services.backlog import FIRST_BATCH, first_batch, fitting_size, wanted_tables
from llm.embedding.services.model_choice import replace_active
from llm.embedding.services.model_failures import note_problem
from llm.embedding.services.provider_embedder import workspace_embedder
from llm.embedding.services.vector_store import eligible_rows, has_vector, lock_unchanged, store_vectors
from llm.embedding.table_registry import FLAG, EmbeddedTable, embedded_tables
from llm.models import EmbedderStatus, WorkspaceEmbedder, WorkspaceEmbedding
from workspaces.access.callers import Caller, maintenance_caller
from workspaces.access.scope import workspace_scope
from workspaces.access.tenancy import SpacedModel

log = logging.getLogger(__name__)

# Searches of other processes may use the former model for some seconds (`llm.embedding.selectors`).
KEPT_SECONDS = 60
DELETED_AT_ONCE = 2_000
# More rows than this that wait at the switch and have their vector already get it a second time.
MAX_SETTLED = 10_000
DONE = "done"


@dataclass(frozen=True, slots=True)
class _Change:
    """A change that is under way: to what, by which embedder (None where the server has none), of which tables."""

    caller: Caller
    incoming: WorkspaceEmbedder
    embedder: Embedder | None
    tables: Sequence[EmbeddedTable]

    @property
    def is_own(self) -> bool:
        return not self.incoming.is_of_server

    def complete(self, table: EmbeddedTable) -> Q:
        """Return the condition for rows that have their new vector."""
        name = self.embedder.model if self.embedder else ""
        return has_vector(table, self.caller.workspace_id, name, is_own=self.is_own)


def has_work(*, workspace_id: UUID) -> bool:
    """Return whether a change goes on, or vectors of a retired model can be deleted."""
    caller = maintenance_caller(workspace_id, "embedding")
    with workspace_scope(caller):
        incoming = read_embedders(caller).incoming
        return _is_due(incoming) or _find_retired(caller).exists()


def advance_change(*, workspace_id: UUID, seconds: float) -> bool:
    """Make vectors of the incoming model until the time is up, and switch when they are complete.

    Return whether to go on at once. A model that fails is noted, and asked again later; searches stay as they are.
    """
    change = _read_change(workspace_id)
    if change is None:
        return False
    until, size = time.monotonic() + seconds, FIRST_BATCH
    try:
        while True:
            table = _next_table(change)
            if change.embedder is None or table is None:
                return not _switch(change)
            began = time.monotonic()
            number = _embed_next(change, change.embedder, table, most=size)
            size = fitting_size(number, seconds=time.monotonic() - began) if number else size
            if time.monotonic() >= until:
                return True
    except EmbedderError as error:
        log.warning("embedding_failed workspace=%s cause=%s", workspace_id, type(error).__name__)
        note_problem(change.incoming, error.detail)
        return False


def delete_retired(*, workspace_id: UUID, seconds: float) -> bool:
    """Delete vectors of models that no search uses any more until the time is up; return whether there are more."""
    caller = maintenance_caller(workspace_id, "embedding")
    until = time.monotonic() + seconds
    while True:
        with workspace_scope(caller):
            chosen = read_embedders(caller, lock=True)
            row = _find_retired(caller).order_by("id").first()
            if row is None:
                return False
            if not _delete_some(caller, row, chosen):
                row.delete()
        if time.monotonic() >= until:
            return True


def _is_due(row: WorkspaceEmbedder | None) -> bool:
    return row is not None and (row.retry_at is None or row.retry_at <= utc_now())


def _read_change(workspace_id: UUID) -> _Change | None:
    caller = maintenance_caller(workspace_id, "embedding")
    with workspace_scope(caller):
        incoming = read_embedders(caller).incoming
    if incoming is None or not _is_due(incoming):
        return None
    embedder = default_embedder() if incoming.is_of_server else workspace_embedder(workspace_id, incoming)
    return _Change(caller, incoming, embedder, wanted_tables(workspace_id))


def _next_table(change: _Change) -> EmbeddedTable | None:
    """Return the table that is not looked through yet; None at the end."""
    positions = change.incoming.positions
    return next((table for table in change.tables if positions.get(table.source) != DONE), None)


def _embed_next(change: _Change, embedder: Embedder, table: EmbeddedTable, *, most: int) -> int:
    """Embed the next rows of a table behind the position; return their number, with those that changed meanwhile."""
    position = change.incoming.positions.get(table.source, "")
    with workspace_scope(change.caller):
        rows = eligible_rows(table, change.caller.workspace_id).exclude(change.complete(table)).order_by("id")
        behind = rows.filter(id__gt=UUID(position)) if position else rows
        batch = first_batch(table, behind, most=most)
    vectors = embedder.embed_passages([text for _, text in batch]) if batch else []
    made = {row.id: (row, vector) for (row, _), vector in zip(batch, vectors, strict=True)}
    positions = {**change.incoming.positions, table.source: str(batch[-1][0].id) if batch else DONE}
    with workspace_scope(change.caller):
        if _is_current(change):
            kept, _ = lock_unchanged(change.caller, table, made)
            store_vectors(change.caller, table, embedder, [made[identity] for identity in kept], is_own=change.is_own)
            _update(change, positions=positions, failures=0, problem="", retry_at=None)
    return len(batch)


def _switch(change: _Change) -> bool:
    """Make the incoming model the active one if no row lacks its vector that has one of the active model.

    Return whether the change is over; where rows came meanwhile, their tables are looked through again. What waits for
    its first vector waits for the new one.
    """
    caller = change.caller
    with workspace_scope(caller):
        chosen = read_embedders(caller, lock=True)
        if chosen.incoming is None or chosen.incoming.id != change.incoming.id:
            return True
        if change.embedder is not None:
            lacking = [table.source for table in change.tables if _find_lacking(change, table, chosen).exists()]
            if lacking:
                positions = {name: at for name, at in change.incoming.positions.items() if name not in lacking}
                _update(change, positions=positions)
                return False
            for table in change.tables:
                _settle(change, table)
        replace_active(caller, change.incoming)
        transaction.on_commit(partial(forget_active_embedder, caller.workspace_id))
    return True


def _find_lacking(change: _Change, table: EmbeddedTable, chosen: ChosenEmbedders) -> QuerySet[Any]:
    rows = eligible_rows(table, change.caller.workspace_id).exclude(change.complete(table))
    return (
        rows.filter(**{FLAG: False})
        if table.has_flag
        else rows.filter(_has_current_vector(table, change.caller, chosen))
    )


def _has_current_vector(table: EmbeddedTable, caller: Caller, chosen: ChosenEmbedders) -> Q:
    """Return the condition for rows that have a vector of the model that searches use."""
    if chosen.own is not None:
        return has_vector(table, caller.workspace_id, chosen.own.vector_model, is_own=True)
    server = default_embedder()
    return has_vector(table, caller.workspace_id, server.model, is_own=False) if server else Q(pk__in=())


def _settle(change: _Change, table: EmbeddedTable) -> None:
    """Have rows wait no longer that have their new vector; what another transaction holds gets it again."""
    if not table.has_flag:
        return
    waiting = eligible_rows(table, change.caller.workspace_id).filter(change.complete(table), **{FLAG: True})
    held = waiting.order_by("id").select_for_update(of=("self",), skip_locked=True, no_key=True)
    ids = list(held.values_list("id", flat=True)[:MAX_SETTLED])
    table.rows.objects.of(change.caller).filter(id__in=ids).update(**{FLAG: False})


def _is_current(change: _Change) -> bool:
    """Return whether the change goes on, and keep it so until the end of the open scope."""
    incoming = read_embedders(change.caller, lock=True).incoming
    return incoming is not None and incoming.id == change.incoming.id


def _update(change: _Change, **values: Any) -> None:
    WorkspaceEmbedder.objects.of(change.caller).filter(id=change.incoming.id).update(**values)
    for name, value in values.items():
        setattr(change.incoming, name, value)


def _find_retired(caller: Caller) -> QuerySet[WorkspaceEmbedder]:
    before = utc_now() - timedelta(seconds=KEPT_SECONDS)
    return WorkspaceEmbedder.objects.of(caller).filter(status=EmbedderStatus.RETIRED, retired_at__lte=before)


def _delete_some(caller: Caller, row: WorkspaceEmbedder, chosen: ChosenEmbedders) -> bool:
    """Delete some vectors of a retired model; return whether there were any."""
    if not row.is_of_server:
        return _delete_own(caller, row, chosen)
    if chosen.own is None:  # which is then what searches use
        return False
    for table in embedded_tables():
        ids = _delete_in_table(caller, table, table.vectors) if table.vectors else _clear_inside(caller, table)
        if ids:
            _wait_again(caller, table, ids, chosen)
            return True
    return False


def _delete_own(caller: Caller, row: WorkspaceEmbedder, chosen: ChosenEmbedders) -> bool:
    mine = WorkspaceEmbedding.objects.of(caller).filter(model=row.vector_model)
    some = list(mine.values_list("id", "source", "row_id")[:DELETED_AT_ONCE])
    WorkspaceEmbedding.objects.of(caller).filter(id__in=[one for one, _, _ in some]).delete()
    for table in embedded_tables():
        _wait_again(caller, table, [identity for _, source, identity in some if source == table.source], chosen)
    return bool(some)


def _delete_in_table(caller: Caller, table: EmbeddedTable, vectors: type[SpacedModel]) -> list[UUID]:
    mine = vectors.objects.of(caller)
    ids = list(mine.values_list(f"{table.reference}_id", flat=True)[:DELETED_AT_ONCE])
    mine.filter(**{f"{table.reference}_id__in": ids}).delete()
    return ids


def _clear_inside(caller: Caller, table: EmbeddedTable) -> list[UUID]:
    mine = table.rows.objects.of(caller)
    held = mine.exclude(model="").order_by("id").select_for_update(no_key=True)
    ids = list(held.values_list("id", flat=True)[:DELETED_AT_ONCE])
    own = set(table.own_columns)
    empty = {field.name: field.get_default() for field in table.rows._meta.concrete_fields if field.name in own}
    mine.filter(id__in=ids).update(**empty)
    return ids


def _wait_again(caller: Caller, table: EmbeddedTable, ids: Sequence[UUID], chosen: ChosenEmbedders) -> None:
    """Have rows wait for a vector that have none of the active model: those of a table whose vectors were not wanted
    while the model changed."""
    if not table.has_flag or not ids:
        return
    lost = eligible_rows(table, caller.workspace_id).filter(id__in=ids, **{FLAG: False})
    lost = lost.exclude(_has_current_vector(table, caller, chosen))
    held = list(lost.order_by("id").select_for_update(of=("self",), no_key=True).values_list("id", flat=True))
    table.rows.objects.of(caller).filter(id__in=held).update(**{FLAG: True})
