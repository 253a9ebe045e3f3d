"""Where vectors are kept: the server's with their rows or in a table for each, those of workspaces' models in one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet

from core.clock import utc_now
from core.embedding import Embedder, Vector
from llm.embedding.table_registry import FLAG, EmbeddedTable
from llm.models import WorkspaceEmbedding
from workspaces.access.callers import Caller
from workspaces.access.tenancy import SpacedModel


def has_vector(table: EmbeddedTable, workspace_id: UUID, model: str, *, is_own: bool) -> Q:
    """Return the condition for rows of a table that have a vector of a model."""
    if is_own:
        kept = WorkspaceEmbedding.objects.filter(workspace_id=workspace_id, row_id=OuterRef("pk"), model=model)
        return Q(Exists(kept))
    if table.vectors is not None:
        mine = {table.reference: OuterRef("pk")}
        return Q(Exists(table.vectors.objects.filter(workspace_id=workspace_id, model=model, **mine)))
    return Q(model=model, vector__isnull=False)


def eligible_rows(table: EmbeddedTable, workspace_id: UUID) -> QuerySet[Any]:
    """Return the rows of a table that have vectors at all, for an open scope."""
    rows: QuerySet[Any] = table.rows.objects.filter(table.eligible(), workspace_id=workspace_id)
    return rows


def pending_rows(table: EmbeddedTable, workspace_id: UUID, model: str, *, is_own: bool) -> QuerySet[Any]:
    """Return the rows that wait for a vector of the model that searches use, for an open scope."""
    if not is_own:
        rows: QuerySet[Any] = table.rows.objects.filter(table.pending(model), workspace_id=workspace_id)
        return rows
    if table.has_flag:
        return eligible_rows(table, workspace_id).filter(**{FLAG: True})
    return eligible_rows(table, workspace_id).exclude(has_vector(table, workspace_id, model, is_own=True))


def lock_unchanged(
    caller: Caller, table: EmbeddedTable, made: Mapping[UUID, tuple[Any, Vector]]
) -> tuple[list[UUID], bool]:
    """Lock the rows that are still there; return those that have the text that was embedded, and whether any was free.

    What another transaction is changing goes on waiting: to wait for it here, with other rows held, could end in a
    deadlock.
    """
    mine = table.rows.objects.of(caller).filter(id__in=made)
    held = mine.order_by("id").select_for_update(skip_locked=True, no_key=True)
    current = dict(held.values_list("id", table.version))
    kept = [identity for identity, (row, _) in made.items() if current.get(identity) == getattr(row, table.version)]
    return kept, bool(current)


def store_vectors(
    caller: Caller, table: EmbeddedTable, embedder: Embedder, vectors: Sequence[tuple[Any, Vector]], *, is_own: bool
) -> None:
    """Store the vectors of rows that are locked, in an open scope."""
    if is_own:
        _store_own(caller, table, embedder, vectors)
    elif table.vectors is not None:
        _store_in_table(caller, table.vectors, table.reference, embedder, vectors)
    else:
        _store_inside(table, embedder, vectors)


def delete_own_vectors(caller: Caller, ids: Sequence[UUID]) -> None:
    """Delete the vectors of rows whose text changed, by all models of the workspace's own; in an open scope."""
    WorkspaceEmbedding.objects.of(caller).filter(row_id__in=ids).delete()


def _store_own(caller: Caller, table: EmbeddedTable, embedder: Embedder, vectors: Sequence[tuple[Any, Vector]]) -> None:
    made: dict[str, Any] = {"model": embedder.model, "dimensions": embedder.dimensions, "created_at": utc_now()}
    WorkspaceEmbedding.objects.bulk_create(
        [
            WorkspaceEmbedding(
                workspace_id=caller.workspace_id,
                space_id=row.space_id,
                source=table.source,
                row_id=row.id,
                vector=vector,
                **made,
            )
            for row, vector in vectors
        ],
        update_conflicts=True,
        unique_fields=["workspace", "row_id", "model"],
        update_fields=["dimensions", "vector", "created_at"],
    )


def _store_in_table(
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
