"""Changing a workspace's settings, the memory toggle among them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.errors import ForbiddenError
from workspaces.access.audit import record_event
from workspaces.access.callers import Caller, Right
from workspaces.access.scope import workspace_scope
from workspaces.models import Workspace
from workspaces.settings.retention import with_retention_changes
from workspaces.settings.selectors import settings_json
from workspaces.settings.signals import memory_enabled
from workspaces.settings.workspace_settings import (
    is_memory_enabled,
    memory_settings,
    settings_changed,
    with_memory_changes,
    with_model_changes,
)

NOTHING: Mapping[str, Any] = {}


def change_settings(
    *,
    caller: Caller,
    memory: Mapping[str, Any] = NOTHING,
    models: Mapping[str, Any] = NOTHING,
    retention: Mapping[str, Any] = NOTHING,
) -> Workspace:
    """Change the named settings and nothing else.

    Raises MissingScopeError without the right `admin`, InvalidError for a value outside its limits.
    """
    caller.require(Right.ADMIN)
    return _apply(caller, memory, models, retention)[0]


def set_memory_enabled(*, caller: Caller, enabled: bool) -> bool:
    """Turn the toggle; return whether that changed anything.

    Every member may, except viewers; an API key needs the scope `admin`. Raises ForbiddenError otherwise.
    """
    if caller.is_person and not caller.may(Right.WRITE):
        raise ForbiddenError("Viewers cannot switch memory. Ask a member of this workspace.")
    if not caller.is_person:
        caller.require(Right.ADMIN)
    return bool(_apply(caller, {"enabled": enabled})[1])


def _apply(
    caller: Caller,
    memory: Mapping[str, Any],
    models: Mapping[str, Any] = NOTHING,
    retention: Mapping[str, Any] = NOTHING,
) -> tuple[Workspace, list[str]]:
    with workspace_scope(caller):
        workspace = Workspace.objects.select_for_update().get(id=caller.workspace_id)
        before = settings_json(workspace)
        config = with_model_changes(with_memory_changes(workspace.config, memory), models)
        workspace.config = with_retention_changes(config, retention) if retention else config
        changed = settings_changed(before, settings_json(workspace))
        if changed:
            workspace.save(update_fields=["config", "updated_at"])
            if "enabled" in changed and is_memory_enabled(workspace):
                memory_enabled.send(sender=Workspace, caller=caller)
            record_event(
                caller=caller,
                action=_action(changed, workspace),
                object_type="workspace",
                object_id=workspace.id,
                details={"changed": changed},
            )
    return workspace, changed


def _action(changed: list[str], workspace: Workspace) -> str:
    if changed == ["enabled"]:
        return "memory.enabled" if memory_settings(workspace).enabled else "memory.disabled"
    return "settings.changed"
