"""A worker in processes of its own, on the test's database, as the serving role."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
from django.conf import settings
from django.db import connection

from tests.serving import serving_environment

# `manage.py qcluster`, which may run the tasks of this test module as well.
PROGRAM = """
import django
from django.conf import settings
from django.core.management import call_command
settings.TASK_MODULES = [*getattr(settings, "TASK_MODULES", []), "tests.core.deadly_tasks"]
django.setup()
call_command("qcluster")
"""
STARTED_WITHIN_SECONDS = 60.0


@dataclass(frozen=True)
class WorkerProcess:
    """The main process of a worker group, and the file that its log goes to."""

    process: subprocess.Popen[bytes]
    log: Path

    @property
    def children(self) -> list[psutil.Process]:
        return psutil.Process(self.process.pid).children(recursive=True)

    def said(self) -> str:
        return self.log.read_text()


@contextmanager
def running_worker(folder: Path, *, name: str = "worker") -> Iterator[WorkerProcess]:
    """Run a worker group until the block ends; then kill what is left of it."""
    log = folder / f"{name}.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM],
            env={**serving_environment(), "WORKERS": "1", "DEADLY_FOLDER": str(folder)},
            cwd=settings.ROOT,
            stdout=output,
            stderr=subprocess.STDOUT,
            process_group=0,
        )
    try:
        yield WorkerProcess(process, log)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def becomes_true(claim: Callable[[], bool], *, seconds: float = STARTED_WITHIN_SECONDS) -> bool:
    """Whether a claim holds within so many seconds."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        if claim():
            return True
        time.sleep(0.1)
    return claim()


def execute(statement: str, *values: str | int | list[str]) -> None:
    """One statement of somebody who reached the database."""
    with connection.cursor() as cursor:
        cursor.execute(statement, values)


def rows(query: str, *values: str | int | list[str]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(query, values)
        return list(cursor.fetchall())
