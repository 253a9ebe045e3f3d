"""Heartbeats of the worker groups: one row for each, which `/readyz` reads."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from core.clock import utc_now
from workspaces.models import WorkerHeartbeat

# A group beats once a minute; two missed beats in a row mean that it does not work, or only at long tasks.
LATE_AFTER = timedelta(minutes=3)
# A group that has ended without a word is counted as late for this time.
FORGOTTEN_AFTER = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Attendance:
    """How many worker groups there are, how many of them are late, and when any of them was heard last (UTC)."""

    groups: int
    late: int
    heard_at: datetime | None


def record_heartbeat(group: str) -> None:
    """Note that a worker group ran a task just now, and forget the groups that have been silent for an hour."""
    now = utc_now()
    WorkerHeartbeat.objects.update_or_create(name=group, defaults={"beat_at": now})
    WorkerHeartbeat.objects.filter(beat_at__lt=now - FORGOTTEN_AFTER).delete()


def forget_heartbeat(group: str) -> None:
    """Forget a worker group that was stopped."""
    WorkerHeartbeat.objects.filter(name=group).delete()


def attendance() -> Attendance:
    """Return how many worker groups are at work, and how many are late."""
    beats = list(WorkerHeartbeat.objects.values_list("beat_at", flat=True))
    late = sum(beat < utc_now() - LATE_AFTER for beat in beats)
    return Attendance(groups=len(beats), late=late, heard_at=max(beats, default=None))
