"""A process of its own that erases a workspace in children, each of which is killed while it does.

    python -m tests.transfer.erasure_crashing ERASURE

Each child goes on where the one before was killed, and ends itself before the first statement that none was killed
before so far; a statement is another one when another precedes it, so that the same note in the receipt counts once for
each table. Between two statements lies at most a commit or a call of another server. One line for each child: the
signal that ended it, 0 for the last one, which has no statement left to be killed before and comes to its end.
"""

from __future__ import annotations

import hashlib
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import django

MAX_CHILDREN = 3_000


class KillerBeforeNew:
    """Ends the process before the first statement that is not in the file of statements."""

    def __init__(self, known: Path) -> None:
        self.known = known
        self.seen = set(known.read_text().split())
        self.last = ""

    def __call__(self, execute: Callable[..., Any], sql: Any, params: Any, many: bool, context: Any) -> Any:
        text = str(sql)
        place = hashlib.sha256(f"{self.last}\n{text}".encode()).hexdigest()
        if place not in self.seen:
            with self.known.open("a") as file:
                file.write(f"{place}\n")
            os.kill(os.getpid(), signal.SIGKILL)
        self.last = text
        return execute(sql, params, many, context)


def run_and_die(erasure_id: str, known: Path) -> None:
    """Do what the worker does, until it is done; each task asks for the next one."""
    from django.db import connection

    from transfer.erasure.tasks import erase_workspace

    with connection.execute_wrapper(KillerBeforeNew(known)):
        while not erase_workspace(erasure_id):
            pass


def main(erasure_id: str) -> None:
    django.setup()
    # Loaded once. Nothing has been asked of the database before a fork, so every child opens a connection of its own.
    import transfer.erasure.tasks  # noqa: F401

    with TemporaryDirectory() as folder:
        known = Path(folder) / "known"
        known.touch()
        for _ in range(MAX_CHILDREN):
            child = os.fork()
            if child == 0:
                run_and_die(erasure_id, known)
                os._exit(0)
            _, status = os.waitpid(child, 0)
            sys.stdout.write(f"{os.WTERMSIG(status)}\n")
            if status == 0:
                break


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    main(*sys.argv[1:])
