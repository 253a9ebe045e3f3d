"""`/healthz`: the process is alive. `/readyz`: what it leans on, each with its state and milliseconds."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from django.db import DatabaseError
from django.http import HttpRequest, JsonResponse

from config.roles import serving_role_problem, tenant_tables
from core import redis
from core.clock import utc_now
from core.errors import ProductError
from core.graph import graph
from core.migrating import waiting_migrations
from workspaces.models import WorkerHeartbeat

# The heartbeat is scheduled every minute; two missed ones in a row mean that nobody works.
HEARTBEAT_IS_LATE_AFTER = timedelta(minutes=3)


@dataclass(frozen=True, slots=True)
class Finding:
    """The state of one thing: ok, or failing with a sentence that names the cure."""

    detail: str = ""

    @property
    def state(self) -> str:
        return "failing" if self.detail else "ok"


def healthz(request: HttpRequest) -> JsonResponse:
    return JsonResponse({"status": "ok"})


def readyz(request: HttpRequest) -> JsonResponse:
    """503 when the database or its migrations would make answers wrong; the rest may fail and is only told."""
    found = {name: _timed(check) for name, check in CHECKS.items()}
    is_ready = all(found[name]["state"] == "ok" for name in REQUIRED)
    return JsonResponse(
        {"status": "ready" if is_ready else "not_ready", "checks": found}, status=200 if is_ready else 503
    )


def database() -> Finding:
    """The serving role is bound by row security, and every tenant table has it."""
    try:
        if problem := serving_role_problem():
            return Finding(problem)
        bare = [f"{table.schema}.{table.name}" for table in tenant_tables() if not table.is_protected]
    except DatabaseError:
        return Finding("PostgreSQL does not answer. Check DATABASE_URL and that the server runs.")
    return Finding(f"No forced row-security policy on {', '.join(bare)}. Run migrate." if bare else "")


def migrations() -> Finding:
    try:
        waiting = waiting_migrations()
    except DatabaseError:
        return Finding("PostgreSQL does not answer.")
    return Finding(f"{waiting} migrations wait. Run manage.py migrate." if waiting else "")


def valkey() -> Finding:
    answers = redis.answers()
    return Finding("" if answers else "Redis does not answer; working sets are unavailable. Check REDIS_URL.")


def graph_server() -> Finding:
    try:
        graph().ping()
    except ProductError as error:
        return Finding(error.detail)
    return Finding()


def worker() -> Finding:
    try:
        beat = WorkerHeartbeat.objects.filter(name="worker").values_list("beat_at", flat=True).first()
    except DatabaseError:
        return Finding("PostgreSQL does not answer.")
    if beat is None:
        return Finding("No worker has run yet. Start manage.py qcluster.")
    late = utc_now() - beat
    return Finding(
        f"The worker's last heartbeat is {int(late.total_seconds())} s old. Start manage.py qcluster."
        if late > HEARTBEAT_IS_LATE_AFTER
        else ""
    )


REQUIRED = ("database", "migrations")
CHECKS: dict[str, Callable[[], Finding]] = {
    "database": database,
    "migrations": migrations,
    "redis": valkey,
    "graph": graph_server,
    "worker": worker,
}


def _timed(check: Callable[[], Finding]) -> dict[str, str | float]:
    started = time.perf_counter()
    finding = check()
    milliseconds = round((time.perf_counter() - started) * 1000, 2)
    told: dict[str, str | float] = {"state": finding.state, "ms": milliseconds}
    return {**told, "detail": finding.detail} if finding.detail else told
