"""Tasks that a test's worker may run: they leave a line behind, and some end badly."""

from __future__ import annotations

import os
import time
from pathlib import Path


def leave_a_line(name: str) -> None:
    with (Path(os.environ["DEADLY_FOLDER"]) / name).open("a") as file:
        file.write(f"{os.getpid()}\n")


def kill_the_worker(name: str) -> None:
    """End as a segmentation fault or the kernel's out-of-memory killer ends a process: at once."""
    leave_a_line(name)
    os._exit(9)


def hang_at_first(name: str) -> None:
    """Take a minute the first time, and no time after that."""
    is_first = not (Path(os.environ["DEADLY_FOLDER"]) / name).exists()
    leave_a_line(name)
    if is_first:
        time.sleep(60)


def fail_with_a_value() -> None:
    """Raise an error that quotes what somebody stored, with another one behind it."""
    stored = "pmal-taes"[::-1]
    try:
        int(stored)
    except ValueError as error:
        raise RuntimeError(f"Could not remember {stored!r}") from error


def note_service(workspace_id: str, number: int) -> None:
    """Write down that it was this task's turn."""
    with (Path(os.environ["DEADLY_FOLDER"]) / "served").open("a") as file:
        file.write(f"{workspace_id} {number}\n")
    time.sleep(0.005)
