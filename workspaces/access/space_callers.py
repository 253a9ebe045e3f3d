"""Callers of background tasks that are about one row: they write and read the space of that row alone."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db.models import Count, QuerySet

from workspaces.access.callers import Caller, maintenance_caller, system_caller
from workspaces.access.scope import workspace_scope
from workspaces.access.tenancy import SpacedModel


def caller_in_space(workspace_id: UUID, task: str, *, space_id: UUID) -> Caller:
    """Return the caller of a task in one space of a workspace."""
    return system_caller(workspace_id, task).within(space_id)


def caller_of_row(workspace_id: UUID, task: str, *, model: type[SpacedModel], row_id: UUID | str) -> Caller | None:
    """Return the caller of a task in the space of a row; None where the row is gone."""
    everywhere = maintenance_caller(workspace_id, task)
    with workspace_scope(everywhere):
        rows: Any = model._default_manager
        space_id = rows.filter(workspace_id=workspace_id, pk=row_id).values_list("space_id", flat=True).first()
    return None if space_id is None else everywhere.within(space_id)


def spaces_of_rows(workspace_id: UUID, task: str, *, rows: QuerySet[Any], at_least: int = 1) -> list[UUID]:
    """Return the spaces of a workspace that at least this many of the rows belong to, in the order of their ids."""
    with workspace_scope(maintenance_caller(workspace_id, task)):
        counted = rows.filter(workspace_id=workspace_id).order_by().values("space_id").annotate(number=Count("pk"))
        return sorted(counted.filter(number__gte=at_least).values_list("space_id", flat=True))
