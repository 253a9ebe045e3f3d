"""Tools for the workspace itself: the memory toggle."""

from __future__ import annotations

from core.action_types import CONFIGURATION
from mcp_server.registry import reads, removes, writes
from mcp_server.schemas import ToggleResponse
from workspaces.access.callers import Caller, Right
from workspaces.access.selectors import current_workspace
from workspaces.settings.services import set_memory_enabled
from workspaces.settings.workspace_settings import is_memory_enabled


@reads("workspace.memory_status", "Is memory on?", action=CONFIGURATION, names_spaces=False)
def memory_status(caller: Caller) -> ToggleResponse:
    """Whether the workspace consolidates, extracts and learns from actions. Recall works either way."""
    caller.require(Right.READ)
    return ToggleResponse(enabled=is_memory_enabled(current_workspace(caller)), changed=False)


@writes("workspace.enable_memory", "Turn memory on", is_idempotent=True, action=CONFIGURATION, names_spaces=False)
def enable_memory(caller: Caller) -> ToggleResponse:
    """Turn on consolidation, extraction, action capture and pattern injection. Only when a person asked for it."""
    return ToggleResponse(enabled=True, changed=set_memory_enabled(caller=caller, enabled=True))


@removes("workspace.disable_memory", "Turn memory off", action=CONFIGURATION, names_spaces=False)
def disable_memory(caller: Caller) -> ToggleResponse:
    """Pause consolidation, extraction, action capture and pattern injection. Nothing that is kept is lost."""
    return ToggleResponse(enabled=False, changed=set_memory_enabled(caller=caller, enabled=False))
