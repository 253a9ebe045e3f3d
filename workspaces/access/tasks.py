"""Tasks of the installation itself."""

from __future__ import annotations

from core.stores.worker import group_name
from workspaces.access.heartbeats import record_heartbeat


def beat() -> None:
    """Note that this worker group ran a task just now; each runs it once a minute, and `/readyz` counts late groups."""
    record_heartbeat(group_name())
