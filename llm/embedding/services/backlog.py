"""Working off what waits for a vector, batch by batch; no model is called inside a transaction."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from core.clock import utc_now
from core.embedding import Embedder, Vector, default_embedder
from core.stores.queue import nudge_after_commit
from llm.embedding.selectors import read_embedders
from llm.embedding.services.model_failures import clear_problem, note_problem
from llm.embedding.services.provider_embedder import workspace_embedder
from llm.embedding.services.vector_store import lock_unchanged, pending_rows, store_vectors
from llm.embedding.table_registry import FLAG, EmbeddedTable, embedded_tables
from llm.models import WorkspaceEmbedder
from workspaces.access.callers import Caller, maintenance_caller
from workspaces.access.scope import workspace_scope
from workspaces.models import Workspace
from workspaces.settings.workspace_settings import memory_settings

EMBED_TASK = "llm.embedding.tasks.embed_workspace"

BATCH = 32
# A batch is not interrupted, so that other workspaces wait for it: it begins small and becomes as large as this time
# lets it, which for an endpoint with many processors is the whole. Texts may get longer from one batch to the next.
BATCH_SECONDS = 0.5
FIRST_BATCH, LARGEST_BATCH = 8, 64
BATCH_CHARACTERS = 16_000


@dataclass(frozen=True, slots=True)
class CurrentModel:
    """The model whose vectors searches use; `own` is the workspace's choice, None where that is the server's."""

    embedder: Embedder
    own: WorkspaceEmbedder | None

    @property
    def is_own(self) -> bool:
        return self.own is not None

    @property
    def name(self) -> str:
        return self.embedder.model

    @property
    def rests(self) -> bool:
        """Whether it failed, and is not asked again yet."""
        return self.own is not None and self.own.retry_at is not None and self.own.retry_at > utc_now()


def nudge_embedding(workspace_id: UUID) -> None:
    """Have what waits in a workspace embedded soon after this transaction has committed."""
    nudge_after_commit(EMBED_TASK, workspace_id)


def embed_pending(table: EmbeddedTable, *, workspace_id: UUID, most: int) -> int:
    """Embed up to `most` rows of one table that have no vector of the current model; return their number.

    Without an embedder, and while the workspace does not want these vectors, nothing happens. Raises EmbedderError.
    """
    done = 0
    if table not in wanted_tables(workspace_id):
        return 0
    while done < most and (number := _embed_batch(table, workspace_id, most=min(BATCH, most - done))):
        done += number
    return done


def embed_for_a_while(*, workspace_id: UUID, seconds: float, order: str = "id") -> tuple[int, bool]:
    """Embed what waits in a workspace until the time is up, a batch of each table in turn.

    Return the number of rows, and whether none waits any more. Raises EmbedderError.
    """
    done, until = 0, time.monotonic() + seconds
    waiting = dict.fromkeys(wanted_tables(workspace_id), FIRST_BATCH)
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

    Rows without a flag wait by themselves: their column `model` says so. While the workspace is searched with a model
    of its own, the vectors of the server's models are of no use, and nothing is marked.
    """
    current = current_model(workspace_id)
    if current is None or current.is_own:
        return 0
    with workspace_scope(maintenance_caller(workspace_id, "embedding")):
        return sum(_mark(table, workspace_id, current.name) for table in embedded_tables() if table.has_flag)


def is_pending(*, workspace_id: UUID) -> bool:
    """Return whether rows wait that an embedder would be given now."""
    current = current_model(workspace_id)
    if current is None or current.rests:
        return False
    tables = wanted_tables(workspace_id)
    with workspace_scope(maintenance_caller(workspace_id, "embedding")):
        return any(pending_rows(table, workspace_id, current.name, is_own=current.is_own).exists() for table in tables)


def current_model(workspace_id: UUID) -> CurrentModel | None:
    """Return the model whose vectors the workspace's searches use, as of now."""
    caller = maintenance_caller(workspace_id, "embedding")
    with workspace_scope(caller):
        own = read_embedders(caller).own
    if own is not None:
        return CurrentModel(workspace_embedder(workspace_id, own), own)
    embedder = default_embedder()
    return None if embedder is None else CurrentModel(embedder, None)


def note_failure(workspace_id: UUID, problem: str) -> None:
    """Leave the workspace's own model alone for a while, if that is what failed."""
    current = current_model(workspace_id)
    if current is not None and current.own is not None:
        note_problem(current.own, problem)


def wanted_tables(workspace_id: UUID) -> list[EmbeddedTable]:
    """Return the tables whose vectors the workspace wants; none of a deleted one."""
    with workspace_scope(maintenance_caller(workspace_id, "embedding")):
        workspace = Workspace.objects.live().filter(id=workspace_id).first()
    if workspace is None:
        return []
    settings = memory_settings(workspace)
    return [table for table in embedded_tables() if table.is_wanted(settings)]


def first_batch(table: EmbeddedTable, rows: QuerySet[Any], *, most: int) -> list[tuple[Any, str]]:
    """Return the first rows with their texts: at least one, and no more than a batch may have characters."""
    needed = table.annotated(rows).only(*table.columns, table.version, "space_id")
    batch: list[tuple[Any, str]] = []
    characters = 0
    for row in needed[:most]:
        text = table.text(row)
        characters += len(text)
        if batch and characters > BATCH_CHARACTERS:
            break
        batch.append((row, text))
    return batch


def _mark(table: EmbeddedTable, workspace_id: UUID, model: str) -> int:
    rows = table.rows.objects.filter(workspace_id=workspace_id, **{FLAG: False})
    if table.vectors is None:
        return rows.exclude(model=model).update(**{FLAG: True})
    stale = table.vectors.objects.filter(workspace_id=workspace_id).exclude(model=model)
    return rows.filter(id__in=stale.values(f"{table.reference}_id")).update(**{FLAG: True})


def _embed_batch(table: EmbeddedTable, workspace_id: UUID, *, most: int, order: str = "id") -> int:
    """Embed some rows of one table; return their number, those that changed or went meanwhile included; 0 where others
    hold all of them."""
    current = current_model(workspace_id)
    if current is None or current.rests:
        return 0
    caller = maintenance_caller(workspace_id, "embedding")
    with workspace_scope(caller):
        pending = pending_rows(table, workspace_id, current.name, is_own=current.is_own)
        rows = first_batch(table, pending.order_by(order), most=most)
    if not rows:
        return 0
    vectors = current.embedder.embed_passages([text for _, text in rows])
    if current.own and current.own.failures:
        clear_problem(current.own)
    with workspace_scope(caller):
        made = {row.id: (row, vector) for (row, _), vector in zip(rows, vectors, strict=True)}
        return len(rows) if _store(caller, table, current, made) else 0


def _store(caller: Caller, table: EmbeddedTable, current: CurrentModel, made: dict[UUID, tuple[Any, Vector]]) -> bool:
    """Store the vectors of those rows that are still there and still have the text that was embedded.

    Return whether one of the rows was free.
    """
    # Held until the commit, so that no change of the model falls between: its last look would miss these rows.
    if read_embedders(caller, lock=True).own != current.own:
        return True
    kept, is_free = lock_unchanged(caller, table, made)
    store_vectors(caller, table, current.embedder, [made[identity] for identity in kept], is_own=current.is_own)
    if table.has_flag:
        table.rows.objects.of(caller).filter(id__in=kept).update(**{FLAG: False})
    table.stored(caller, kept)
    return is_free
