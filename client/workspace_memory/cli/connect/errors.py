"""Why a configuration file was not changed."""

from __future__ import annotations

from workspace_memory.errors import WorkspaceMemoryError


class ConfigurationError(WorkspaceMemoryError):
    """A configuration file that cannot be changed safely; it stays as it is."""
