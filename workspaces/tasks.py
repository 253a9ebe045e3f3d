"""Tasks of the installation itself."""

from __future__ import annotations

from core.clock import utc_now
from workspaces.models import WorkerHeartbeat

WORKER = "worker"


def beat() -> None:
    """Note that a worker took a task just now; `/readyz` tells how long that was ago."""
    WorkerHeartbeat.objects.update_or_create(name=WORKER, defaults={"beat_at": utc_now()})
