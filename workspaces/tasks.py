"""Tasks of the installation itself."""

from __future__ import annotations

from core.clock import utc_now
from workspaces.callers import system_caller
from workspaces.models import WorkerHeartbeat
from workspaces.selectors import all_workspace_ids
from workspaces.services import repeating
from workspaces.services.registering import forget_unused_registrations

WORKER = "worker"


def forget_registrations() -> int:
    """On the schedule: delete expired tokens, and apps that nobody let in for 90 days; answer how many of these."""
    return forget_unused_registrations()


def beat() -> None:
    """Note that a worker took a task just now; `/readyz` tells how long that was ago."""
    WorkerHeartbeat.objects.update_or_create(name=WORKER, defaults={"beat_at": utc_now()})


def delete_outlived_answers() -> int:
    """On the schedule: in every workspace, answers that were kept for a day for whoever asks again."""
    return sum(repeating.delete_outlived(caller=system_caller(identity, "answers")) for identity in all_workspace_ids())
