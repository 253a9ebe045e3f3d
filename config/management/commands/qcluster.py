"""`manage.py qcluster`: the worker, in the place of django-q2's command of that name."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from config.schedules import HEARTBEAT, SCHEDULE
from core.stores.worker import run_worker
from workspaces.access.worker_heartbeats import forget_heartbeat


class Command(BaseCommand):
    help = "Run the worker until SIGTERM: listed tasks of the queue, and the schedule."

    def handle(self, *args: Any, **options: Any) -> None:
        forget_heartbeat(run_worker(schedule=SCHEDULE, heartbeat=HEARTBEAT))
