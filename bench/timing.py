"""Taking times, and saying on what machine."""

from __future__ import annotations

import os
import platform
import statistics
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from django.db import connection


def milliseconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return (time.perf_counter() - started) * 1000


def median_and_p95(times: Sequence[float]) -> tuple[float, float]:
    return round(statistics.median(times), 1), round(statistics.quantiles(times, n=20)[18], 1)


def machine() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_version")
        version = cursor.fetchone()[0]
    moment = datetime.now(UTC).strftime("%Y-%m-%d %H:%M")
    load, python = os.getloadavg()[0], platform.python_version()
    return f"{os.cpu_count()} cores, load {load:.1f}, Python {python}, PostgreSQL {version}, {moment} UTC"
