"""Working off what waits for a vector, batch by batch; no model is called inside a transaction."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from core.clock import utc_now
from core.embedding import Embedder, Vector, default_embedder
from core.stores.queue import nudge_after_commit
from llm.embedding.table_registry import FLAG, EmbeddedTable, embedded_tables
from workspaces.access.callers import Caller, maintenance_caller
from workspaces.access.scope import workspace_scope
from workspaces.access.tenancy import SpacedModel
from workspaces.models import Workspace
from workspaces.settings.workspace_settings import memory_settings

EMBED_TASK = "llm.embedding.tasks.embed_workspace"

BATCH = 32
# A batch is not interrupted, so that other workspaces wait for it: it begins small and becomes as large as this time
# lets it, which for an endpoint with many processors is the whole. Texts may get longer from one batch to the next.
BATCH_SECONDS = 0.5
FIRST_BATCH, LARGEST_BATCH = 8, 64
BATCH_CHARACTERS = 16_000


def nudge_embedding(workspace_id: UUID) -> None:
    """Have what waits in a workspace embedded soon after this transaction has committed."""
    nudge_after_commit(EMBED_TASK, workspace_id)


def embed_pending(table: EmbeddedTable, *, workspace_id: UUID, most: int) -> int:
    """Embed up to `most` rows of one table that have no vector of the current model; return their number.

    Without an embedder, and while the workspace does not want these vectors, nothing happens. Raises EmbedderError.
    """
    done = 0
    if table not in _wanted_tables(workspace_id):
        return 0
    while done < most and (number := _embed_batch(table, workspace_id, most=min(BATCH, most - done))):
        done += number
    return done


def embed_for_a_while(*, workspace_id: UUID, seconds: float, order: str = "id") -> tuple[int, bool]:
    """Embed what waits in a workspace until the time is up, a batch of each table in turn.

    Return the number of rows, and whether none waits any more. Raises EmbedderError.
    """
    done, until = 0, time.monotonic() + seconds
    waiting = dict.fromkeys(_wanted_tables(workspace_id), FIRST_BATCH)
    while waiting:
        for table, size in tuple(waiting.items()):
            began = time.monotonic()
            number = _embed_batch(table, workspace_id, most=size, order=order)
            done += number
            if number:
                waiting[table] = fitting_size(number, seconds=time.monotonic() - began)
            else:
                del waiting[table]
        if time.monotonic() >= until:
            break
    return done, not waiting


def fitting_size(rows: int, *, seconds: float) -> int:
    """Return the size of a batch that takes `BATCH_SECONDS`, from the time that a batch has taken."""
    return max(1, min(LARGEST_BATCH, int(BATCH_SECONDS * rows / max(seconds, 0.001))))


def mark_other_models(*, workspace_id: UUID) -> int:
    """Mark every row of a workspace whose vector another model than the current one made; return their number.

    Rows without a flag wait by themselves: their column `model` says so.
    """
    embedder = default_embedder()
    if embedder is None:
        return 0
    with workspace_scope(maintenance_caller(workspace_id, "embedding")):
        return sum(_mark(table, workspace_id, embedder.model) for table in embedded_tables() if table.has_flag)


def is_pending(*, workspace_id: UUID) -> bool:
    """Return whether rows wait that an embedder would be given."""
    embedder = default_embedder()
    if embedder is None:
        return False
    tables = _wanted_tables(workspace_id)
    with workspace_scope(maintenance_caller(workspace_id, "embedding")):
        return any(_pending(table, workspace_id, embedder.model).exists() for table in tables)


def _wanted_tables(workspace_id: UUID) -> list[EmbeddedTable]:
    """Return the tables whose vectors the workspace wants; none of a deleted one."""
    with workspace_scope(maintenance_caller(workspace_id, "embedding")):
        workspace = Workspace.objects.live().filter(id=workspace_id).first()
    if workspace is None:
        return []
    settings = memory_settings(workspace)
    return [table for table in embedded_tables() if table.is_wanted(settings)]


def _mark(table: EmbeddedTable, workspace_id: UUID, model: str) -> int:
    rows = table.rows.objects.filter(workspace_id=workspace_id, **{FLAG: False})
    if table.vectors is None:
        return rows.exclude(model=model).update(**{FLAG: True})
    stale = table.vectors.objects.filter(workspace_id=workspace_id).exclude(model=model)
    return rows.filter(id__in=stale.values(f"{table.reference}_id")).update(**{FLAG: True})


def _embed_batch(table: EmbeddedTable, workspace_id: UUID, *, most: int, order: str = "id") -> int:
    """Embed some rows of one table; return their number, those that changed or went meanwhile included; 0 where others
    hold all of them."""
    embedder = default_embedder()
    if embedder is None:
        return 0
    caller = maintenance_caller(workspace_id, "embedding")
    with workspace_scope(caller):
        pending = table.annotated(_pending(table, workspace_id, embedder.model)).only(
            *table.columns, table.version, "space_id"
        )
        rows = _first_batch(table, pending.order_by(order)[:most])
    if not rows:
        return 0
    vectors = embedder.embed_passages([text for _, text in rows])
    with workspace_scope(caller):
        made = {row.id: (row, vector) for (row, _), vector in zip(rows, vectors, strict=True)}
        return len(rows) if _store(caller, table, embedder, made) else 0


def _pending(table: EmbeddedTable, workspace_id: UUID, model: str) -> QuerySet[Any]:
    """Return the rows that wait, for an open scope."""
    rows: QuerySet[Any] = table.rows.objects.filter(table.pending(model), workspace_id=workspace_id)
    return rows


def _first_batch(table: EmbeddedTable, rows: QuerySet[Any]) -> list[tuple[Any, str]]:
    """Return the first rows with their texts: at least one, and no more than a batch may have characters."""
    batch: list[tuple[Any, str]] = []
    characters = 0
    for row in rows:
        text = table.text(row)
        characters += len(text)
        if batch and characters > BATCH_CHARACTERS:
            break
        batch.append((row, text))
    return batch


def _store(caller: Caller, table: EmbeddedTable, embedder: Embedder, made: dict[UUID, tuple[Any, Vector]]) -> bool:
    """Store the vectors of those rows that are still there and still have the text that was embedded.

    Return whether one of the rows was free.

    What another transaction is changing goes on waiting: to wait for it here, with other rows held, could end in a
    deadlock.
    """
    mine = table.rows.objects.of(caller).filter(id__in=made)
    held = mine.order_by("id").select_for_update(skip_locked=True, no_key=True)
    current = dict(held.values_list("id", table.version))
    kept = [identity for identity, (row, _) in made.items() if current.get(identity) == getattr(row, table.version)]
    if table.vectors is not None:
        _store_vectors(caller, table.vectors, table.reference, embedder, [made[identity] for identity in kept])
    else:
        _store_inside(table, embedder, [made[identity] for identity in kept])
    if table.has_flag:
        mine.filter(id__in=kept).update(**{FLAG: False})
    table.stored(caller, kept)
    return bool(current)


def _store_vectors(
    caller: Caller, target: type[SpacedModel], reference: str, embedder: Embedder, vectors: Sequence[tuple[Any, Vector]]
) -> None:
    made: dict[str, Any] = {"model": embedder.model, "dimensions": embedder.dimensions, "created_at": utc_now()}
    target.objects.bulk_create(
        [
            target(
                workspace_id=caller.workspace_id,
                space_id=row.space_id,
                **{f"{reference}_id": row.id, **made, "vector": vector},
            )
            for row, vector in vectors
        ],
        update_conflicts=True,
        unique_fields=["workspace", reference],
        update_fields=["model", "dimensions", "vector", "created_at"],
    )


def _store_inside(table: EmbeddedTable, embedder: Embedder, made: Sequence[tuple[Any, Vector]]) -> None:
    values = {"model": embedder.model, "dimensions": embedder.dimensions}
    for row, vector in made:
        for name in table.own_columns:
            setattr(row, name, values.get(name, vector))
    table.rows.objects.bulk_update([row for row, _ in made], table.own_columns)
