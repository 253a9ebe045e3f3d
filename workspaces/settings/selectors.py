"""Which workspaces have a setting on."""

from __future__ import annotations

from uuid import UUID

from core.errors import NotFoundError
from workspaces.access.callers import system_caller
from workspaces.access.selectors import all_workspace_ids, current_workspace
from workspaces.settings.workspace_settings import is_memory_enabled


def workspaces_with_memory() -> list[UUID]:
    """Return the workspaces that have memory on, for schedules that then enter them one by one."""
    return [identity for identity in all_workspace_ids() if _is_enabled(identity)]


def _is_enabled(workspace_id: UUID) -> bool:
    try:
        return is_memory_enabled(current_workspace(system_caller(workspace_id, "settings")))
    except NotFoundError:  # deleted since the list was read; the others must not wait for that
        return False
