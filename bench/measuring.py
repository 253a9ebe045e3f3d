"""Taking times, and saying on what machine."""

from __future__ import annotations

import json
import logging
import os
import platform
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import httpx
from django.db import connection

from workspaces.access.callers import Caller, Right
from workspaces.keys.services import create_key

# A line for every call would bury the table, and takes time itself.
logging.getLogger("httpx").setLevel(logging.WARNING)

HOME = Path(os.environ.get("WSM_HOME", "var"))


def milliseconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return (time.perf_counter() - started) * 1000


def median_and_p95(times: Sequence[float]) -> tuple[float, float]:
    return round(statistics.median(times), 1), round(statistics.quantiles(times, n=20)[18], 1)


@contextmanager
def rest_as(caller: Caller) -> Iterator[httpx.Client]:
    """REST of the product that is running, with a key that may read and write."""
    demo = json.loads((HOME / "demo.json").read_text())
    secret = create_key(caller=caller, name="bench", scopes=[Right.READ, Right.WRITE]).secret
    base = f"{demo['url']}/v1/workspaces/{caller.workspace_id}/"
    with httpx.Client(base_url=base, headers={"Authorization": f"Bearer {secret}"}, timeout=600) as rest:
        rest.get("memories", params={"limit": 1}).raise_for_status()
        yield rest


def machine() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_version")
        version = cursor.fetchone()[0]
    moment = datetime.now(UTC).strftime("%Y-%m-%d %H:%M")
    load, python = os.getloadavg()[0], platform.python_version()
    return f"{os.cpu_count()} cores, load {load:.1f}, Python {python}, PostgreSQL {version}, {moment} UTC"
