"""Every table that is divided into spaces, in the order in which its rows are erased."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any
from uuid import UUID

from django.apps import apps
from django.db import connection, models
from django.db.models import Q, QuerySet

from workspaces.access.table_order import order_children_first, references
from workspaces.access.tenancy import SpacedModel


@dataclass(frozen=True, slots=True)
class ErasedTable:
    """A table, and its columns that name a row without which its own rows mean nothing."""

    model: type[SpacedModel]
    parents: tuple[models.ForeignKey[Any, Any], ...]

    @property
    def name(self) -> str:
        return str(self.model._meta.db_table)

    def conditions(self, *, workspace_id: UUID, spaces: Sequence[UUID]) -> list[Q]:
        """Return what is erased: rows that hang on one of the spaces, in whatever space they are, and their own rows.

        Those that hang on others come first: they are found by the index of their column, where many tables have none
        by space.
        """
        of_space = {"workspace_id": workspace_id, "space_id__in": spaces}
        hanging = [
            Q(**{f"{column.attname}__in": select_rows(column.related_model).filter(**of_space).values("pk")})
            for column in self.parents
        ]
        return [*hanging, Q(space_id__in=spaces)]

    def all_rows(self, *, workspace_id: UUID, spaces: Sequence[UUID]) -> QuerySet[Any]:
        """Return what is erased as one query, for counting."""
        which = Q(pk__in=())
        for condition in self.conditions(workspace_id=workspace_id, spaces=spaces):
            which |= condition
        return self.rows(workspace_id=workspace_id, which=which)

    def rows(self, *, workspace_id: UUID, which: Q) -> QuerySet[Any]:
        return select_rows(self.model).filter(which, workspace_id=workspace_id)

    def hanging_rows(
        self, model: type[models.Model], *, workspace_id: UUID, ids: Sequence[Any]
    ) -> QuerySet[Any] | None:
        """Return the rows that hang on rows of another table with these keys; None where none can."""
        columns = [column for column in self.parents if column.related_model is model]
        which = Q(pk__in=())
        for column in columns:
            which |= Q(**{f"{column.attname}__in": list(ids)})
        return self.rows(workspace_id=workspace_id, which=which) if columns else None

    def delete(self, *, workspace_id: UUID, ids: Sequence[Any]) -> None:
        """Delete rows by their keys. The ORM would first read everything that may hang on them, and that is gone."""
        table, key = (connection.ops.quote_name(name) for name in (self.name, str(self.model._meta.pk.column)))
        with connection.cursor() as cursor:
            cursor.execute(
                f"DELETE FROM {table} WHERE workspace_id = %s AND {key} = ANY(%s)",  # noqa: S608  # names of a model
                [workspace_id, list(ids)],
            )


@cache
def list_space_tables() -> tuple[ErasedTable, ...]:
    """Return the table of each model of a row of a space, each before those that its rows hang on."""
    spaced = {model for model in apps.get_models() if issubclass(model, SpacedModel)}
    return tuple(ErasedTable(model, _parents(model, spaced)) for model in order_children_first(spaced))


def delete_locked(
    table: ErasedTable,
    *,
    workspace_id: UUID,
    ids: Sequence[Any],
    before: Callable[[ErasedTable, Sequence[Any]], None],
) -> None:
    """Delete rows that the open scope holds locked, after what hangs on them; `before` hears of each table's first.

    What hangs on them went before, but for what was added since, such as a vector that the worker just made. Nothing
    can be added to locked rows.
    """
    for child in list_space_tables():
        hanging = child.hanging_rows(table.model, workspace_id=workspace_id, ids=ids)
        if hanging is not None and (found := list(hanging.order_by("pk").values_list("pk", flat=True))):
            delete_locked(child, workspace_id=workspace_id, ids=found, before=before)
    before(table, ids)
    table.delete(workspace_id=workspace_id, ids=ids)


def select_rows(model: type[models.Model]) -> QuerySet[Any]:
    """Return all rows that the open scope shows."""
    return model._base_manager.all()


def _parents(model: type[models.Model], spaced: Collection[type[models.Model]]) -> tuple[Any, ...]:
    return tuple(column for column in references(model, spaced) if column.remote_field.on_delete is models.CASCADE)
