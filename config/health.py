"""`/healthz`: the process is alive. `/readyz`: what it leans on, each with its state and milliseconds."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import ip_address
from threading import Lock
from urllib.parse import urlsplit

from django.conf import settings
from django.db import DatabaseError
from django.http import HttpRequest, JsonResponse

from config.database_roles import accepts_writes, isolation_problem
from core.clock import utc_now
from core.db.pending_migrations import waiting_migrations
from core.errors import ProductError
from core.stores import redis
from core.stores.graph import graph
from telemetry.actions.services.capture import buffer
from workspaces.access.client_address import address_in_header, client_address
from workspaces.access.worker_heartbeats import LATE_AFTER, attendance


@dataclass(frozen=True, slots=True)
class Finding:
    """The state of one thing: ok, or failing with a sentence that names the cure; ok may have a sentence as well."""

    detail: str = ""
    is_failing: bool = True

    @property
    def state(self) -> str:
        return "failing" if self.detail and self.is_failing else "ok"


def healthz(request: HttpRequest) -> JsonResponse:
    return JsonResponse({"status": "ok"})


def readyz(request: HttpRequest) -> JsonResponse:
    """503 when the database or its migrations would make answers wrong; the rest may fail and is only reported.

    The operator on this machine gets a check of this moment with its details. Others get states and milliseconds, at
    most `SECONDS_KEPT` old: asking often costs nothing, and names of roles and tables are not for them.
    """
    found = _run_checks() if is_operator(request) else _recent.checks()
    is_ready = all(found[name]["state"] == "ok" for name in REQUIRED)
    return JsonResponse(
        {"status": "ready" if is_ready else "not_ready", "checks": found},
        status=200 if is_ready else 503,
        headers={"Cache-Control": "no-store"},
    )


def is_operator(request: HttpRequest) -> bool:
    """Return whether a request certainly comes from this machine itself, and not through a proxy that runs on it.

    Without TRUST_PROXY a proxy may look like a local client: then no client counts as one whose request says that it
    was forwarded, or who asks an installation that others know by a public address.
    """
    forwarded = request.META.get("HTTP_X_FORWARDED_FOR", "")
    if settings.TRUST_PROXY and forwarded and not address_in_header(forwarded):
        return False  # where it came from is not known, and the proxy itself may be on this machine
    if not settings.TRUST_PROXY:
        is_public = urlsplit(settings.PUBLIC_URL).hostname not in LOOPBACK_NAMES
        if is_public or any(name in request.META for name in FORWARDED):
            return False
    try:
        return ip_address(client_address(request)).is_loopback
    except ValueError:
        return False


def database() -> Finding:
    """Check that the serving role is bound by row security, that policies are those of the migrations, and that
    transactions may write."""
    try:
        if problem := isolation_problem():
            return Finding(problem)
        is_writable = accepts_writes()
    except DatabaseError:
        return Finding("PostgreSQL does not answer. Check DATABASE_URL and that the server runs.")
    if is_writable:
        return Finding()
    return Finding("PostgreSQL only reads: it is a standby, or default_transaction_read_only is on.")


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
        graph().probe()
    except ProductError as error:
        return Finding(error.detail)
    return Finding()


def worker() -> Finding:
    """Failing when no worker group was heard of lately; ok with a sentence when some of several were not."""
    try:
        seen = attendance()
    except DatabaseError:
        return Finding("PostgreSQL does not answer.")
    if seen.heard_at is None:
        return Finding("No worker has run yet. Start manage.py qcluster.")
    if seen.late == seen.groups:
        age = int((utc_now() - seen.heard_at).total_seconds())
        return Finding(f"The worker's last heartbeat is {age} s old. Start manage.py qcluster.")
    if seen.late:
        minutes = int(LATE_AFTER.total_seconds() // 60)
        late = f"{seen.late} of {seen.groups} workers had no heartbeat for {minutes} minutes. Look at their logs."
        return Finding(late, is_failing=False)
    return Finding()


def capture() -> Finding:
    """Failing when this process keeps nothing of what agents do; ok with a sentence after an error."""
    if buffer.is_down:
        return Finding("What agents do is not captured: capture_lost in the log has the cause. Restart the server.")
    if buffer.errors:
        return Finding(f"Capture met {buffer.errors} errors in a row and goes on. Look at the log.", is_failing=False)
    return Finding()


SECONDS_KEPT = 2.0
LOOPBACK_NAMES = {"127.0.0.1", "::1", "localhost"}
FORWARDED = ("HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_PROTO", "HTTP_X_REAL_IP", "HTTP_FORWARDED", "HTTP_VIA")
Checks = dict[str, dict[str, str | float]]
REQUIRED = ("database", "migrations")
CHECKS: dict[str, Callable[[], Finding]] = {
    "database": database,
    "migrations": migrations,
    "redis": valkey,
    "graph": graph_server,
    "worker": worker,
    "capture": capture,
}


def _run_checks() -> Checks:
    return {name: _run_check(check) for name, check in CHECKS.items()}


class _Recent:
    """The states of a moment ago. One thread at a time asks for new ones; meanwhile the others get the last."""

    def __init__(self) -> None:
        self._asking = Lock()
        self._last: Checks = {}
        self._until = 0.0

    def checks(self) -> Checks:
        if time.monotonic() >= self._until and self._asking.acquire(blocking=not self._last):
            try:
                if time.monotonic() >= self._until:  # not asked by another thread while this one waited
                    self._last = {name: {"state": one["state"], "ms": one["ms"]} for name, one in _run_checks().items()}
                    self._until = time.monotonic() + SECONDS_KEPT
            finally:
                self._asking.release()
        return self._last


_recent = _Recent()


def _run_check(check: Callable[[], Finding]) -> dict[str, str | float]:
    started = time.perf_counter()
    finding = check()
    milliseconds = round((time.perf_counter() - started) * 1000, 2)
    checked: dict[str, str | float] = {"state": finding.state, "ms": milliseconds}
    return {**checked, "detail": finding.detail} if finding.detail else checked
