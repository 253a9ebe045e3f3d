"""Tasks of the installation itself."""

from __future__ import annotations

from core.clock import utc_now
from workspaces.models import WorkerHeartbeat
from workspaces.services.registering import forget_unused_registrations

WORKER = "worker"


def forget_registrations() -> int:
    """On the schedule: delete expired tokens, and apps that nobody let in for 90 days; answer how many of these."""
    return forget_unused_registrations()


def beat() -> None:
    """Note that a worker took a task just now; `/readyz` tells how long that was ago."""
    WorkerHeartbeat.objects.update_or_create(name=WORKER, defaults={"beat_at": utc_now()})
